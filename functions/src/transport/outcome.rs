//! A call and its one log line, alike for every surface.

use common::{app::App, error::Result};

use super::problem;
use crate::tools::{self, Answer, Call};

/// Calls a tool and logs what came of it.
///
/// # Errors
/// Those of [`tools::dispatch`].
pub(super) async fn of(app: &App, call: Call<'_>) -> Result<Answer> {
    let (name, id) = (tools::known_name(call.tool), call.request.clone());
    let began = app.clock.now();
    let result = tools::dispatch(app, call).await;
    match &result {
        Ok(_) => {
            let took = app.clock.now() - began;
            let took = i64::try_from(took.whole_milliseconds()).unwrap_or(i64::MAX);
            tracing::info!(request.id = %id, tool.name = name, duration_ms = took, "a call was answered");
        }
        Err(error) => problem::log(error, &id, name),
    }
    result
}
