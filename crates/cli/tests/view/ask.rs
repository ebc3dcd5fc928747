//! Questions to a page. In: a page, and a script that clicks and looks. Out: what the script
//! answers. Invariant: a mistake in the page or in the script fails the test, and so does anything
//! that the page loads.

use serde_json::Value;
use tempfile::TempDir;
use verdigris_browser::{Browser, Window};

/// What a script answers that runs when the page is there. A mistake in the page or in the script
/// is what it answers then.
pub fn ask(browser: &Browser, page: &str, window: Window, script: &str) -> Value {
    let folder = TempDir::new().expect("there is a place for temporary files");
    let file = folder.path().join("asked.html");
    let errors = "<script>let wrong = []; addEventListener('error', event => wrong.push(event.message));</script></head>";
    let ask = format!(
        "<script>
let answer;
const rows = (pane, kind) => [...document.querySelectorAll(`#pane-${{pane}} .row.${{kind}} .body`)].map(row => row.textContent);
const row = (pane, text) => [...document.querySelectorAll(`#pane-${{pane}} .row`)].find(row => row.textContent.includes(text));
const press = (key, pane) => (pane ? document.querySelector(`#pane-${{pane}} .list`) : document.body).dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
try {{ answer = (() => {{ {script} }})(); }} catch (error) {{ wrong.push(String(error)); }}
const resources = performance.getEntriesByType('resource').length;
const text = JSON.stringify({{ answer, wrong, resources }});
document.body.innerHTML = '';
document.body.setAttribute('data-answer', encodeURIComponent(text));
</script></body>"
    );
    let text = page.replacen("</head>", errors, 1).replace("</body>", &ask);
    std::fs::write(&file, text).expect("it can be written");
    let dom = browser.dom(&file, window);
    let answer = dom.split("data-answer=\"").nth(1).expect("an answer");
    let answer = answer.split('"').next().expect("its end");
    let mut all: Value = serde_json::from_str(&decoded(answer)).expect("JSON");
    assert_eq!(all["wrong"], serde_json::json!([]));
    assert_eq!(all["resources"], 0, "the page loads nothing");
    all["answer"].take()
}

/// What `encodeURIComponent` has encoded.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || (rest.next().expect("two digits") as char).to_digit(16);
                let (high, low) = (digit().expect("a digit"), digit().expect("a digit"));
                (high * 16 + low) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// Texts of a list in an answer.
pub fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().expect("a list");
    list.iter()
        .map(|text| text.as_str().expect("a text"))
        .collect()
}
