//! `mcp` as an agent starts it: standard input and output, and nothing but protocol on them.

use std::{
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

use crate::home::{Home, Running, out, refusal};

/// An agent's side of the process.
struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Agent {
    fn start(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let input = child.stdin.take();
        Self {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let line = self.output.next().unwrap().unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.send(&message.to_string());
        self.receive()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let mut answer = self.ask("tools/call", &params);
        assert_eq!(answer["result"]["isError"], false, "{answer:#}");
        answer["result"]["structuredContent"].take()
    }

    /// Ends the input; the process ends by itself, with nothing more to say.
    fn leave(mut self) {
        drop(self.input.take());
        assert!(self.output.next().is_none());
        assert!(self.child.wait().unwrap().success());
    }

    /// Ends as a supervisor does, with the input still open.
    fn terminate(mut self) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(sent.unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // Only after a failure: `leave` and `terminate` have waited for it otherwise.
        self.child.kill().ok();
    }
}

/// A picture of one red pixel.
const RED: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// Says hello, saves, and finds again.
fn converse(agent: &mut Agent) {
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let answer = agent.ask("initialize", &hello);
    assert_eq!(answer["result"]["serverInfo"]["name"], "image-memory");
    agent.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    agent.send("this is no message");
    assert_eq!(agent.receive()["error"]["code"], -32700);
    let saved = agent.call(
        "image_asset_save",
        &json!({ "imageBase64": RED, "title": "red", "onDuplicate": "existing" }),
    );
    let asset = saved["assetId"].as_str().unwrap();
    let got = agent.call(
        "image_asset_get",
        &json!({ "assetId": asset, "waitSeconds": 20 }),
    );
    assert_eq!(got["status"], "ready");
    let found = agent.call("image_asset_search", &json!({ "assetId": asset }));
    assert_eq!(found["results"][0]["assetId"], asset);
}

#[tokio::test]
async fn an_agent_is_served_from_the_embedded_stack_and_from_a_deployment() {
    let home = Home::new().await;
    let mut agent = Agent::start(home.command(&["mcp"]));
    converse(&mut agent);
    agent.leave();
    let mut agent = Agent::start(home.command(&["mcp", "--toolset", "all"]));
    assert!(agent.ask("tools/list", &json!({}))["result"]["tools"].is_array());
    agent.terminate();

    let (server, address) = Running::start(&home);
    let key = std::fs::read_to_string(home.file("demo-key")).unwrap();
    let mut command = home.command(&["mcp", "--url", &format!("http://{address}")]);
    command.env("IMAGE_MEMORY_KEY", key.trim());
    let mut agent = Agent::start(command);
    converse(&mut agent);
    agent.leave();
    let mut command = home.command(&["mcp"]);
    command.env("IMAGE_MEMORY_URL", format!("http://{address}/mcp"));
    command.env("IMAGE_MEMORY_KEY", "imk_wrong");
    let mut agent = Agent::start(command);
    let answer = agent.ask("tools/list", &json!({}));
    assert_eq!(answer["error"]["data"]["code"], "unauthenticated");
    server.stop();
    let answer = agent.ask("tools/list", &json!({}));
    assert_eq!(answer["error"]["message"], "the server cannot be reached");
    agent.leave();
}

#[tokio::test]
async fn two_agents_share_one_machine() {
    let home = Home::new().await;
    let mut agents = [(); 2].map(|()| Agent::start(home.command(&["mcp"])));
    for agent in &mut agents {
        converse(agent);
    }
    let [first, mut second] = agents;
    first.leave();
    // The database is stopped by the last one that uses it.
    converse(&mut second);
    second.leave();
}

#[tokio::test]
async fn what_is_missing_or_unsafe_is_said_before_anything_starts() {
    let home = Home::new().await;
    let without_key = home.run(&["mcp", "--url", "https://memory.example.com"]);
    assert!(refusal(&without_key).contains("IMAGE_MEMORY_KEY"));
    let mut command = home.command(&["mcp", "--url", "http://memory.example.com"]);
    let in_the_clear = command.env("IMAGE_MEMORY_KEY", "imk_x").output().unwrap();
    assert!(refusal(&in_the_clear).contains("https://"));
    assert!(in_the_clear.stdout.is_empty());
    assert!(out(&home.run(&["mcp", "--help"])).contains("--toolset"));
}
