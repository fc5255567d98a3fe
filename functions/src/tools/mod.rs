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
pub mod untrusted;
pub mod vault_list;

use common::{
    app::App,
    auth::{KeyToken, Principal, unauthenticated},
    contract::{Membership, Meta, Target, Toolset},
    domain::text::{has_lone_surrogate_escape, has_nul_escape, legible},
    error::{Error, ErrorCode, Result},
    ids::RequestId,
    store::access::{self, Admission, Admitted},
};
pub use fields::pictures::Picture;
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
    /// Whether the surface can show a picture beside the answer; else none is made.
    pub pictures: bool,
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

    /// Takes out of the answer the picture that goes beside it, where one was made.
    fn picture(_: &mut Self::Output) -> Option<Picture> {
        None
    }
}

/// One call of a tool, as any surface hands it over.
pub struct Call<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Value of the `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The arguments, or why they cannot be read: that is told to those alone who may call the tool.
    pub arguments: Result<Value>,
    /// The call's id.
    pub request: RequestId,
    /// Whether the surface can show a picture beside the answer.
    pub pictures: bool,
}

/// What a call comes to.
pub struct Answer {
    /// The tool's output.
    pub output: Value,
    /// The picture beside it, where one was asked for and the surface can show it.
    pub picture: Option<Picture>,
}

type Run = for<'a> fn(&'a App, KeyToken, Call<'a>) -> BoxFuture<'a, Result<Answer>>;

/// The tool that reads one image, for surfaces that give each image an address.
pub const READS_ONE_IMAGE: &str = <image_asset_get::ImageAssetGet as Tool>::META.name;

/// What the access log calls a request that calls no tool.
const NO_TOOL: &str = "mcp";

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
        run: |app, key, call| Box::pin(run::<T>(app, key, call)),
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

/// Whether the flags let a tool answer.
///
/// # Errors
/// `feature_disabled`, `search_disabled`.
fn switched_on(app: &App, meta: &Meta) -> Result<()> {
    if !app.settings.feature_enabled {
        return Err(Error::new(
            ErrorCode::FeatureDisabled,
            "image memory is switched off",
        ));
    }
    if meta.search && !app.settings.search_enabled {
        return Err(Error::new(
            ErrorCode::SearchDisabled,
            "image search is switched off",
        ));
    }
    Ok(())
}

/// The tools that a caller can use, in the order of the registry: what is switched off, what the key's
/// scopes do not allow, and what is outside the toolset is left out.
pub fn usable<'a>(
    app: &'a App,
    caller: &'a Principal,
    toolset: Toolset,
) -> impl Iterator<Item = &'static Entry> + 'a {
    TOOLS.iter().filter(move |entry| {
        switched_on(app, &entry.meta).is_ok()
            && caller.require(entry.meta.scope).is_ok()
            && (toolset == Toolset::All || entry.meta.toolset == Toolset::Core)
    })
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

/// Reads of a request that [`parse_arguments`] refused with `invalid_text` what it was about; nothing of it
/// may be kept.
#[must_use]
pub fn parse_refused(json: &[u8]) -> Option<Value> {
    serde_json::from_str(&legible(json)).ok()
}

/// Who holds the key of a request that calls no tool.
///
/// # Errors
/// `unauthenticated`, `database_unavailable`.
pub async fn authenticate(
    app: &App,
    authorization: Option<&str>,
    request: RequestId,
) -> Result<Principal> {
    let key = KeyToken::from_authorization(authorization)?;
    let now = app.clock.now();
    match access::admit(&app.store, &key, Target::Nothing, request, now).await? {
        Admitted::Live(admission) => Ok(admission.principal().clone()),
        Admitted::Ended(own) => {
            Err(denials::passed_on(app, &own, NO_TOOL, unauthenticated()).await)
        }
    }
}

/// Calls a tool.
///
/// # Errors
/// Any of the catalogue; a key that opens nothing is told before anything else is.
pub async fn dispatch(app: &App, call: Call<'_>) -> Result<Answer> {
    let entry = TOOLS.iter().find(|entry| entry.meta.name == call.tool);
    let entry =
        entry.ok_or_else(|| Error::new(ErrorCode::RouteNotFound, "there is no such tool"))?;
    switched_on(app, &entry.meta)?;
    let key = KeyToken::from_authorization(call.authorization)?;
    (entry.run)(app, key, call).await
}

async fn run<T: Tool>(app: &App, key: KeyToken, call: Call<'_>) -> Result<Answer> {
    let Call {
        arguments,
        request,
        pictures,
        ..
    } = call;
    let input = arguments.and_then(decode::<T::Input>);
    let target = input.as_ref().map_or(Target::Nothing, T::target);
    let (tool, now) = (T::META.name, app.clock.now());
    let admission = match access::admit(&app.store, &key, target, request.clone(), now).await? {
        Admitted::Live(admission) => admission,
        Admitted::Ended(own) => {
            return Err(denials::passed_on(app, &own, tool, unauthenticated()).await);
        }
    };
    match admitted::<T>(app, &admission, input, (&request, pictures)).await {
        Ok(answer) => Ok(answer),
        Err(error) => Err(denials::passed_on(app, &admission.own(), tool, error).await),
    }
}

async fn admitted<T: Tool>(
    app: &App,
    admission: &Admission,
    input: Result<T::Input>,
    (request, pictures): (&RequestId, bool),
) -> Result<Answer> {
    admission.principal().require(T::META.scope)?;
    let input = input?;
    let access = T::Needs::open(admission, T::META.scope)?;
    let cx = Cx {
        app,
        access,
        request,
        pictures,
    };
    let mut output = T::call(cx, input).await?;
    let picture = T::picture(&mut output);
    let output = serde_json::to_value(output).map_err(Error::internal)?;
    Ok(Answer { output, picture })
}

fn decode<T: DeserializeOwned>(arguments: Value) -> Result<T> {
    serde_json::from_value(arguments).map_err(|error| {
        // The parser may quote what it could not read; nobody needs all of it back.
        let message: String = error.to_string().chars().take(300).collect();
        Error::new(ErrorCode::InvalidArgument, message)
    })
}
