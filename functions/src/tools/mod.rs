//! The tools: the registry, which is the only list of them, and the one way to call one.
//!
//! [`dispatch`] verifies the key, opens the access that the tool asks for by type, and only then calls
//! it: a tool cannot run unauthorized.

mod denials;
mod fields;
pub mod image_asset_delete;
pub mod image_asset_get;
pub mod image_asset_list;
pub mod image_asset_move;
pub mod image_asset_save;
pub mod image_asset_search;
pub mod image_folder_create;
pub mod image_folder_list;
pub mod image_project_create;
pub mod image_project_list;
pub mod image_usage_get;
mod needs;
pub mod vault_list;

use common::{
    app::App,
    auth::{KeyToken, unauthenticated},
    contract::{Membership, Meta, Target},
    domain::text::{has_lone_surrogate_escape, has_nul_escape},
    error::{Error, ErrorCode, Result},
    ids::RequestId,
    store::access::{self, Admission, Admitted},
};
pub(crate) use fields::{Notice, notices};
use futures_util::future::BoxFuture;
pub use needs::{InVault, InVaults, Needs, OfAssets, Own};
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
    /// Weakest membership of a shared vault with which it works; `None` where no vault is asked for.
    pub membership: Option<Membership>,
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
    image_asset_list::ImageAssetList,
    image_asset_move::ImageAssetMove,
    image_asset_delete::ImageAssetDelete,
    image_project_create::ImageProjectCreate,
    image_project_list::ImageProjectList,
    image_folder_create::ImageFolderCreate,
    image_folder_list::ImageFolderList,
    vault_list::VaultList,
    image_usage_get::ImageUsageGet,
}

const fn entry<T: Tool>() -> Entry {
    Entry {
        meta: T::META,
        needs: T::Needs::NAME,
        membership: T::Needs::MEMBERSHIP,
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
    let (tool, now) = (T::META.name, app.clock.now());
    let admission = match access::admit(&app.store, &key, target, request.clone(), now).await? {
        Admitted::Live(admission) => admission,
        Admitted::Ended(own) => {
            return Err(denials::passed_on(app, &own, tool, unauthenticated()).await);
        }
    };
    match admitted::<T>(app, &admission, input, request).await {
        Ok(output) => Ok(output),
        Err(error) => Err(denials::passed_on(app, &admission.own(), tool, error).await),
    }
}

async fn admitted<T: Tool>(
    app: &App,
    admission: &Admission,
    input: Result<T::Input>,
    request: &RequestId,
) -> Result<Value> {
    admission.principal().require(T::META.scope)?;
    let input = input?;
    let access = T::Needs::open(admission, T::META.scope)?;
    let cx = Cx {
        app,
        access,
        request,
    };
    let output = T::call(cx, input).await?;
    serde_json::to_value(output).map_err(Error::internal)
}

fn decode<T: DeserializeOwned>(arguments: Value) -> Result<T> {
    serde_json::from_value(arguments).map_err(|error| {
        // The parser may quote what it could not read; nobody needs all of it back.
        let message: String = error.to_string().chars().take(300).collect();
        Error::new(ErrorCode::InvalidArgument, message)
    })
}
