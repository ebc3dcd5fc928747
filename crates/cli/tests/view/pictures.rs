//! The pictures of docs/book/src/reference/view.md. In: the commands of three languages, beside
//! that of the tool. Out: PNG files in docs/view, with a palette so that they are small. Invariant:
//! each shows a page as the tool writes it, in which a script has chosen what the text around the
//! picture is about.

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use verdigris_browser::{Browser, Window};

/// As large as a picture may be.
const LARGEST: usize = 200_000;

struct Picture {
    name: &'static str,
    window: Window,
    /// The folder of the language, its command, and what is run.
    language: &'static str,
    command: &'static str,
    args: &'static [&'static str],
    jit: &'static str,
    script: &'static str,
}

const PICTURES: [Picture; 4] = [
    Picture {
        name: "objects",
        window: Window {
            width: 1440,
            height: 800,
            dark: false,
        },
        language: "languages/tlc",
        command: "tlc",
        args: &["run", "programs/objects.tlc", "3000"],
        jit: "threshold=7,trace_eagerness=2",
        script: "choose('opt', lists.get('opt').items.findIndex(item => item.text.startsWith('guard_value(')));",
    },
    Picture {
        name: "phone",
        window: Window {
            width: 500,
            height: 800,
            dark: true,
        },
        language: "languages/tlc",
        command: "tlc",
        args: &["run", "programs/objects.tlc", "3000"],
        jit: "threshold=7,trace_eagerness=2",
        script: "choose('opt', lists.get('opt').items.findIndex(item => item.text.startsWith('guard_value(')));",
    },
    Picture {
        name: "callabit",
        window: Window {
            width: 1440,
            height: 800,
            dark: false,
        },
        language: "languages/tla",
        command: "tla",
        args: &["run", "programs/callabit.tla", "1000"],
        jit: "threshold=30,compiler=tracing",
        script: "open(model.pieces.length - 1);
            choose('opt', lists.get('opt').items.findIndex(item => item.text.includes(' = call(')));",
    },
    Picture {
        name: "nbody",
        window: Window {
            width: 1440,
            height: 800,
            dark: true,
        },
        language: "languages/lua",
        command: "verdigris-lua",
        args: &["programs/nbody.lua", "1000"],
        jit: "",
        script: "open(1);
            choose('opt', lists.get('opt').items.findIndex(item => item.text.includes('float_mul(')));",
    },
];

#[test]
#[ignore = "writes the pictures of docs/book/src/reference/view.md"]
fn pictures() {
    let browser = Browser::find().expect("a browser");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for picture in &PICTURES {
        let page = picture.page(&root);
        let folder = TempDir::new().expect("there is a place for temporary files");
        let [file, shot] = ["page.html", "page.png"].map(|name| folder.path().join(name));
        let script = format!("<script>{}</script></body>", picture.script);
        std::fs::write(&file, page.replace("</body>", &script)).expect("it can be written");
        let small = small(&browser.screenshot(&file, picture.window, &shot));
        println!("{}: {} bytes", picture.name, small.len());
        assert!(small.len() < LARGEST, "{} is too large", picture.name);
        let out = root.join(format!("docs/book/src/reference/view/{}.png", picture.name));
        std::fs::write(out, small).expect("it can be written");
    }
}

impl Picture {
    fn page(&self, root: &Path) -> String {
        let tool = PathBuf::from(env!("CARGO_BIN_EXE_verdigris"));
        let command = tool.with_file_name(self.command);
        assert!(
            command.is_file(),
            "build the languages first: cargo build -p tlc -p tla -p verdigris-lua"
        );
        let folder = TempDir::new().expect("there is a place for temporary files");
        let page = folder.path().join("page.html");
        let mut process = Command::new(tool);
        process.current_dir(root.join(self.language));
        process
            .args(["view", ".", "--jit", self.jit, "-o"])
            .arg(&page);
        process.arg("--").arg(command).args(self.args);
        let status = process.status().expect("the tool runs");
        assert!(status.success(), "{}", self.name);
        std::fs::read_to_string(page).expect("a page")
    }
}

/// The same picture with a palette.
fn small(picture: &[u8]) -> Vec<u8> {
    let mut reader = Decoder::new(Cursor::new(picture))
        .read_info()
        .expect("a picture");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it fits into memory")];
    let info = reader.next_frame(&mut bytes).expect("its pixels");
    let channels = info.color_type.samples();
    let pixel = |p: &[u8]| [p[0], p[1], p[2], 255];
    let pixels: Vec<u8> = bytes.chunks_exact(channels).flat_map(pixel).collect();
    let palette = NeuQuant::new(3, 64, &pixels);
    let indices: Vec<u8> = pixels
        .chunks_exact(4)
        .map(|p| u8::try_from(palette.index_of(p)).expect("a byte names a colour"))
        .collect();
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, info.width, info.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.color_map_rgb());
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().expect("memory takes it");
    writer.write_image_data(&indices).expect("memory takes it");
    writer.finish().expect("memory takes it");
    out
}
