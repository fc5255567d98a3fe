//! Who may call which tool: the table that docs show and a test walks, cell by cell.

use common::{
    contract::{Membership, Scope},
    error::ErrorCode,
};
use functions::tools::{Entry, TOOLS};

use crate::schema_table::id_fields;

/// How a caller stands to the vault that a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is the caller's own.
    Owner,
    /// It is shared with the caller.
    Member(Membership),
    /// It is none of the caller's business.
    Stranger,
}

impl Standing {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 5] = [
        Self::Owner,
        Self::Member(Membership::Admin),
        Self::Member(Membership::Write),
        Self::Member(Membership::Read),
        Self::Stranger,
    ];

    const fn title(self) -> &'static str {
        match self {
            Self::Owner => "Own vault",
            Self::Member(Membership::Admin) => "Admin member",
            Self::Member(Membership::Write) => "Write member",
            Self::Member(Membership::Read) => "Read member",
            Self::Stranger => "Anybody else",
        }
    }
}

/// What comes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does its work.
    Allowed,
    /// It does its work without the vault, which the caller does not see.
    Unseen,
    /// It is refused by this code, as a whole or for the item.
    Refused(ErrorCode),
}

/// What comes of a call of a tool about a vault, by a key that has these scopes.
#[must_use]
pub fn verdict(tool: &Entry, standing: Standing, scopes: &[Scope]) -> Verdict {
    if !scopes.contains(&tool.meta.scope) {
        return Verdict::Refused(ErrorCode::ForbiddenScope);
    }
    let Some(needed) = tool.membership else {
        return Verdict::Allowed;
    };
    match standing {
        Standing::Owner => Verdict::Allowed,
        Standing::Member(membership) if membership >= needed => Verdict::Allowed,
        Standing::Member(_) => Verdict::Refused(ErrorCode::ForbiddenMembership),
        // It names no vault: it lists those that the caller may read.
        Standing::Stranger if names_nothing(tool) => Verdict::Unseen,
        Standing::Stranger => Verdict::Refused(ErrorCode::NotFound),
    }
}

fn names_nothing(tool: &Entry) -> bool {
    id_fields(tool).iter().all(|field| field == "cursor")
}

/// The table as a page.
pub(crate) fn page(notice: &str) -> String {
    let mut text = format!(
        "{notice}# Who may do what\n\n\
         A call needs two things: the scope of its key, and the membership of the vault that it is about. A key without \
         the scope is refused with `forbidden_scope`, whatever the vault. A caller who may not even read the vault is \
         answered as if it did not exist. What is saved in a shared vault is charged to its owner. An expired or revoked \
         key opens nothing (`unauthenticated`), and a membership that ended is as if it had never been: at once, but for \
         links already issued, which live five minutes at most. Every refusal leaves a line in the access log.\n\n\
         | Tool | Scope |"
    );
    for standing in Standing::ALL {
        text += &format!(" {} |", standing.title());
    }
    text += "\n|---|---|";
    text += &"---|".repeat(Standing::ALL.len());
    text += "\n";
    for tool in TOOLS {
        text += &format!("| `{}` | `{}` |", tool.meta.name, tool.meta.scope.name());
        for standing in Standing::ALL {
            let cell = match verdict(tool, standing, &Scope::ALL) {
                Verdict::Allowed => "yes".to_owned(),
                Verdict::Unseen => "not listed".to_owned(),
                Verdict::Refused(code) => format!("`{}`", code.name()),
            };
            text += &format!(" {cell} |");
        }
        text += "\n";
    }
    text += "\n`image_asset_delete` judges each image for itself: the codes stand in the result of the item. \
             `image_usage_get` is about the caller's own account and no vault.\n";
    text
}
