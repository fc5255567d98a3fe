//! The tools: the registry, which is the only list of them, and the one way to call one.
//!
//! [`dispatch`] verifies the key, opens the access that the tool asks for by type, and only then calls
//! it: a tool cannot run unauthorized.

mod fields;
pub mod image_asset_get;
pub mod image_asset_save;
pub mod image_asset_search;

use std::marker::PhantomData;

use common::{
    app::App,
    auth::KeyToken,
    contract::{Meta, Right, Scope, Target},
    domain::text::{has_lone_surrogate_escape, has_nul_escape},
    error::{Error, ErrorCode, Result},
    ids::RequestId,
    store::{
        access::{self, Admission, VaultAccess, VaultsAccess},
        access_log,
    },
};
pub(crate) use fields::{Notice, notices};
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// What a tool is called with besides its input.
pub struct Cx<'a, A> {
    /// The application.
    pub app: &'a App,
    /// What the call may touch.
    pub access: A,
    /// The call, for the log and the answer.
    pub request: &'a RequestId,
}

/// What a tool needs to be allowed, as a type.
pub trait Needs: Send + 'static {
    /// The permission it is called with.
    type Access: Send + Sync;
    /// Its name in docs.
    const NAME: &'static str;
    /// Opens it.
    ///
    /// # Errors
    /// `forbidden_scope`, `forbidden_membership`, `not_found`.
    fn open(admission: &Admission, scope: Scope) -> Result<Self::Access>;
}

/// A right on the one vault that the call is about.
pub struct InVault<R>(PhantomData<R>);

impl<R: Right> Needs for InVault<R> {
    type Access = VaultAccess<R>;
    const NAME: &'static str = R::MEMBERSHIP.name();

    fn open(admission: &Admission, scope: Scope) -> Result<VaultAccess<R>> {
        admission.vault(scope)
    }
}

/// The right to read the vaults that the call names, or all readable ones.
pub struct InVaults;

impl Needs for InVaults {
    type Access = VaultsAccess;
    const NAME: &'static str = "read, of each vault";

    fn open(admission: &Admission, scope: Scope) -> Result<VaultsAccess> {
        admission.vaults(scope)
    }
}

/// A tool.
pub trait Tool: 'static {
    /// What it says of itself.
    const META: Meta;
    /// Its arguments; unknown ones are refused, and null equals absent.
    type Input: DeserializeOwned + JsonSchema + Send;
    /// Its answer.
    type Output: Serialize + JsonSchema + Send;
    /// What it needs to be allowed.
    type Needs: Needs;

    /// What a call is about.
    fn target(input: &Self::Input) -> Target;

    /// Does it.
    fn call(
        cx: Cx<'_, <Self::Needs as Needs>::Access>,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// One call of a tool, as any surface hands it over.
pub struct Call<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Value of the `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The arguments.
    pub arguments: Value,
    /// The call's id.
    pub request: RequestId,
}

type Run = for<'a> fn(&'a App, KeyToken, Value, &'a RequestId) -> BoxFuture<'a, Result<Value>>;

/// One line of the registry.
pub struct Entry {
    /// What the tool says of itself.
    pub meta: Meta,
    /// What it needs to be allowed, in words.
    pub needs: &'static str,
    /// JSON schema of its arguments.
    pub input_schema: fn() -> Value,
    /// JSON schema of its answer.
    pub output_schema: fn() -> Value,
    run: Run,
}

macro_rules! registry {
    ($($module:ident :: $tool:ident,)*) => {
        /// All tools, in the order in which they are listed.
        pub const TOOLS: &[Entry] = &[$(entry::<$module::$tool>(),)*];
    };
}

registry! {
    image_asset_save::ImageAssetSave,
    image_asset_get::ImageAssetGet,
    image_asset_search::ImageAssetSearch,
}

const fn entry<T: Tool>() -> Entry {
    Entry {
        meta: T::META,
        needs: T::Needs::NAME,
        input_schema: schema::<T::Input>,
        output_schema: schema::<T::Output>,
        run: |app, key, arguments, request| Box::pin(run::<T>(app, key, arguments, request)),
    }
}

fn schema<T: JsonSchema>() -> Value {
    let generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = generator.into_generator().into_root_schema_for::<T>();
    // The type's own name and doc comment say nothing that the tool's description does not.
    schema.remove("title");
    schema.remove("description");
    schema.to_value()
}

/// The registry's own spelling of a tool's name, for logs: a caller's text never gets there.
#[must_use]
pub fn known_name(name: &str) -> &'static str {
    TOOLS
        .iter()
        .map(|entry| entry.meta.name)
        .find(|known| *known == name)
        .unwrap_or("unknown")
}

/// Finds a tool that the flags let answer.
///
/// # Errors
/// `route_not_found`, `feature_disabled`, `search_disabled`.
fn find(app: &App, name: &str) -> Result<&'static Entry> {
    let entry = TOOLS.iter().find(|entry| entry.meta.name == name);
    let entry =
        entry.ok_or_else(|| Error::new(ErrorCode::RouteNotFound, "there is no such tool"))?;
    if !app.settings.feature_enabled {
        return Err(Error::new(
            ErrorCode::FeatureDisabled,
            "image memory is switched off",
        ));
    }
    if entry.meta.search && !app.settings.search_enabled {
        return Err(Error::new(
            ErrorCode::SearchDisabled,
            "image search is switched off",
        ));
    }
    Ok(entry)
}

/// Reads the JSON text of a tool's arguments, as every surface that gets bytes must.
///
/// # Errors
/// `invalid_text` for characters that nothing can store, `invalid_argument` for what is not JSON.
pub fn parse_arguments(json: &[u8]) -> Result<Value> {
    if has_nul_escape(json) || has_lone_surrogate_escape(json) {
        let message = "the request holds a NUL character or a lone surrogate";
        return Err(Error::new(ErrorCode::InvalidText, message));
    }
    serde_json::from_slice(json)
        .map_err(|_| Error::new(ErrorCode::InvalidArgument, "the body is not a JSON object"))
}

/// Calls a tool.
///
/// # Errors
/// Any of the catalogue; a key that opens nothing is told before anything else is.
pub async fn dispatch(app: &App, call: Call<'_>) -> Result<Value> {
    let entry = find(app, call.tool)?;
    let key = KeyToken::from_authorization(call.authorization)?;
    (entry.run)(app, key, call.arguments, &call.request).await
}

async fn run<T: Tool>(
    app: &App,
    key: KeyToken,
    arguments: Value,
    request: &RequestId,
) -> Result<Value> {
    let input = decode::<T::Input>(arguments);
    let target = input.as_ref().map_or(Target::Nothing, T::target);
    let admission =
        access::admit(&app.store, &key, target, request.clone(), app.clock.now()).await?;
    admission.principal().require(T::META.scope)?;
    let input = input?;
    let access = match T::Needs::open(&admission, T::META.scope) {
        Ok(access) => access,
        Err(error) => {
            note_denial(app, &admission, T::META.name, error.code()).await?;
            return Err(error);
        }
    };
    let output = T::call(
        Cx {
            app,
            access,
            request,
        },
        input,
    )
    .await?;
    serde_json::to_value(output).map_err(Error::internal)
}

fn decode<T: DeserializeOwned>(arguments: Value) -> Result<T> {
    serde_json::from_value(arguments).map_err(|error| {
        // The parser may quote what it could not read; nobody needs all of it back.
        let message: String = error.to_string().chars().take(300).collect();
        Error::new(ErrorCode::InvalidArgument, message)
    })
}

/// Writes down that a call was denied, in a transaction of its own.
async fn note_denial(
    app: &App,
    admission: &Admission,
    tool: &'static str,
    code: ErrorCode,
) -> Result<()> {
    // A key without any right to its owner's rows still leaves its line.
    let own = admission.own();
    let now = app.clock.now();
    app.store
        .run_tx("access_log.denied", &own, |tx| {
            let own = &own;
            async move { access_log::denied(&tx, own, tool, code, now).await }
        })
        .await
}
