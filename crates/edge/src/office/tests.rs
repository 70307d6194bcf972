//! What LibreOffice is asked to do, by a program in its place.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

use super::*;
use crate::conversions::OFFICES;

/// Requests that are converted or wait for it.
const REQUESTS: usize = 10;

/// Does what the first line of a document says.
fn stand_in() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/office/stand_in.sh")
}

fn export_to(name: &str) -> Option<Conversion> {
    Conversion::export(FileFormat::named(name).unwrap())
}

fn import_from(name: &str) -> Option<Conversion> {
    Conversion::import(FileFormat::named(name).unwrap())
}

fn to_odt() -> Conversion {
    export_to("odt").unwrap()
}

/// Whether a process runs. One that has ended and that nobody has asked about does not.
fn runs(id: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    state.is_ok_and(|state| !state.contains(") Z "))
}

async fn until(mut is_so: impl FnMut() -> bool) {
    let wait = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), wait)
        .await
        .unwrap();
}

/// The folder of a run that hangs, the process and its child.
async fn hanging(place: &Path) -> [String; 3] {
    until(|| place.join("pid").exists()).await;
    ["folder", "pid", "child"].map(|file| {
        let text = std::fs::read_to_string(place.join(file)).unwrap();
        text.trim().to_owned()
    })
}

async fn is_all_gone([folder, pid, child]: [String; 3]) {
    until(|| !runs(&pid) && !runs(&child)).await;
    until(|| !Path::new(&folder).exists()).await;
}

#[test]
fn formats_have_their_ways() {
    assert_eq!(export_to("odt").unwrap().from, "docx");
    assert_eq!(export_to("txt"), None);
    assert_eq!(import_from("pdf").unwrap().to, "html");
    assert_eq!(import_from("docx"), None);
}

#[test]
fn what_is_no_program_is_as_if_it_was_not_named() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (named, found) in [
        ("src/office/stand_in.sh", true),
        ("src/office.rs", false),
        ("src", false),
        ("none", false),
    ] {
        let mut settings = Files {
            soffice: Some(named.to_owned()),
            ..Files::default()
        };
        check_program(&mut settings, here);
        let expected = found.then(|| here.join(named).display().to_string());
        assert_eq!(settings.soffice, expected, "{named}");
    }
}

#[tokio::test]
async fn a_document_goes_in_and_another_comes_out() {
    let office = Office::new(stand_in(), Arc::default());
    let converted = office.convert(b"words".to_vec(), to_odt()).await;
    assert_eq!(converted, Ok(b"words".to_vec()));
}

#[tokio::test]
async fn failures_are_reported() {
    let office = Office::new(stand_in(), Arc::default());
    let failed = office.convert(b"fail\n".to_vec(), to_odt()).await;
    assert_eq!(failed, Err(Failure::Failed));
    // An empty file is none.
    let failed = office.convert(Vec::new(), to_odt()).await;
    assert_eq!(failed, Err(Failure::Failed));
    let nowhere = Office::new("/nowhere/soffice".into(), Arc::default());
    let failed = nowhere.convert(b"words".to_vec(), to_odt()).await;
    assert_eq!(failed, Err(Failure::Failed));
}

#[tokio::test]
async fn a_slow_run_is_ended_with_its_children() {
    let place = tempfile::tempdir().unwrap();
    let office = Office::new(stand_in(), Arc::default());
    let document = format!("hang {}\n", place.path().display());
    let mut conversion = Box::pin(office.convert(document.into_bytes(), to_odt()));
    let run = tokio::select! {
        _ = &mut conversion => panic!("it hangs"),
        run = hanging(place.path()) => run,
    };
    tokio::time::pause();
    tokio::time::advance(TIMEOUT).await;
    tokio::time::resume();
    assert_eq!(conversion.await, Err(Failure::TooLong));
    is_all_gone(run).await;
}

#[tokio::test]
async fn a_run_that_nobody_waits_for_is_ended_too() {
    let place = tempfile::tempdir().unwrap();
    let office = Office::new(stand_in(), Arc::default());
    let document = format!("hang {}\n", place.path().display());
    let run = {
        let conversion = office.convert(document.into_bytes(), to_odt());
        tokio::select! {
            _ = conversion => panic!("it hangs"),
            run = hanging(place.path()) => run,
        }
    };
    assert!(runs(&run[1]) && runs(&run[2]) || !Path::new(&run[0]).exists());
    is_all_gone(run).await;
}

#[tokio::test]
async fn few_run_at_once_and_not_many_wait() {
    let place = tempfile::tempdir().unwrap();
    let conversions = Arc::new(Conversions::with_room_for(REQUESTS));
    let office = Arc::new(Office::new(stand_in(), Arc::clone(&conversions)));
    let document = format!("meet {}\n", place.path().display()).into_bytes();
    let requests: Vec<_> = (0..REQUESTS)
        .map(|_| {
            let (office, document) = (Arc::clone(&office), document.clone());
            tokio::spawn(async move { office.convert(document, to_odt()).await })
        })
        .collect();
    until(|| conversions.room() == 0).await;
    let one_more = office.convert(document, to_odt()).await;
    assert_eq!(one_more, Err(Failure::Busy));
    std::fs::write(place.path().join("go"), "").unwrap();
    for request in requests {
        assert!(request.await.unwrap().is_ok());
    }
    let runs = std::fs::read_to_string(place.path().join("runs")).unwrap();
    let most = runs
        .lines()
        .map(|line| line.trim().parse::<usize>().unwrap());
    assert!(most.max().unwrap() <= OFFICES, "{runs}");
    assert_eq!(runs.lines().count(), REQUESTS);
    // There is room again.
    let converted = office.convert(b"words".to_vec(), to_odt()).await;
    assert!(converted.is_ok());
}

/// With LibreOffice itself: what is exported can be imported again.
#[tokio::test]
async fn libreoffice_writes_and_reads_all_formats() {
    let Some(office) = libreoffice() else {
        return;
    };
    let limits = convert::Limits::default();
    let html = "<h1>Title</h1><ul><li>one</li><li><strong>two</strong></li></ul><p>Καλημέρα</p>";
    let docx = docx_of(html, &limits);
    for ending in ["odt", "doc", "rtf", "pdf"] {
        let out = office
            .convert(docx.clone(), export_to(ending).unwrap())
            .await;
        let way = import_from(ending).unwrap();
        let back = office.convert(out.unwrap(), way).await.unwrap();
        let format = convert::Format::of_extension(way.to).unwrap();
        let runs = convert::import(format, &back, &limits).unwrap();
        let text: String = runs.iter().map(|run| run.text.to_string_lossy()).collect();
        for word in ["Title", "one", "two", "Καλημέρα"] {
            assert!(text.contains(word), "{ending}: {text:?}");
        }
        let has = |key: &str, value: &str| {
            let mut attributes = runs.iter().flat_map(|run| &run.attributes);
            attributes.any(|attribute| attribute.key == key && attribute.value == value)
        };
        assert!(has("bold", "true"), "{ending}: {runs:?}");
        if ending != "pdf" {
            assert!(has("list", "bullet1"), "{ending}: {runs:?}");
            assert!(has("heading", "h1"), "{ending}: {runs:?}");
        }
    }
}

/// With LibreOffice itself: formatting that it reads in our files and writes into its own.
#[tokio::test]
async fn libreoffice_keeps_formatting() {
    let Some(office) = libreoffice() else {
        return;
    };
    // Declared attributes are styles with names there.
    let limits = convert::Limits {
        declared: Arc::new(crate::files::tests::declared::table()),
        ..convert::Limits::default()
    };
    let docx = docx_of(FORMATTED, &limits);
    let odt = office.convert(docx, export_to("odt").unwrap()).await;
    let way = import_from("odt").unwrap();
    let back = office.convert(odt.unwrap(), way).await.unwrap();
    let format = convert::Format::of_extension(way.to).unwrap();
    let runs = convert::import(format, &back, &limits).unwrap();
    let attributes = runs.iter().flat_map(|run| &run.attributes);
    let found: Vec<String> = attributes
        .map(|attribute| format!("{}={}", attribute.key, attribute.value))
        .collect();
    let is_missing = |wanted: &&str| !found.iter().any(|found| found == wanted);
    let missing: Vec<&str> = KEPT.split_whitespace().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?} of {found:?}");
}

const FORMATTED: &str = "<h2>a</h2><p><b>b</b> <i>c</i> <u>d</u> <s>e</s> <sub>f</sub> \
    <sup>g</sup> <a href=\"https://a.b/\">h</a> <span class=\"color:red\">i</span> \
    <mark class=\"highlight:pink\">j</mark> <span class=\"font-size:20\">k</span> \
    <font face=\"serif\">l</font> <font face=\"monospace\">m</font></p>\
    <p align=\"center\">n</p><ul><li>o</li></ul><ol><li>p</li></ol>\
    <blockquote>q</blockquote><pre>r</pre><aside class=\"callout:true\">s\
    <b class=\"spoiler:true\">t</b></aside>";

const KEPT: &str = "heading=h2 bold=true italic=true underline=true strikethrough=true sub=true \
    sup=true url=https://a.b/ color=red highlight=pink font-size=20 font-family=serif \
    font-family=monospace align=center list=bullet1 list=number1 quote=true heading=code \
    callout=true spoiler=true";

/// A document from outside must not make the server ask others for anything.
#[tokio::test]
async fn libreoffice_fetches_nothing() {
    let Some(office) = libreoffice() else {
        return;
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let picture = format!("http://{}/x.png", listener.local_addr().unwrap());
    let document = include_str!("linked.fodt").replace("PICTURE", &picture);
    let way = import_from("odt").unwrap();
    tokio::select! {
        converted = office.convert(document.into_bytes(), way) => {
            assert_eq!(converted.err(), None);
        }
        _ = listener.accept() => panic!("somebody asks for the picture"),
    }
}

fn libreoffice() -> Option<Office> {
    let skip = std::env::var_os("PADSVC_SKIP_SOFFICE").is_some_and(|value| value == "1");
    (!skip).then(|| Office {
        // A run takes ten seconds on a machine with much other work, and more on a slower one.
        timeout: 10 * TIMEOUT,
        ..Office::new("/usr/bin/soffice".into(), Arc::default())
    })
}

fn docx_of(html: &str, limits: &convert::Limits) -> Vec<u8> {
    let runs = convert::import(convert::Format::Html, html.as_bytes(), limits).unwrap();
    let mut pool = changeset::Pool::new();
    let mut builder = changeset::Builder::new(0);
    for run in &runs {
        builder.insert(&run.text, &pool.attribs_of_insert(&run.attributes));
    }
    let empty = changeset::Document::plain(&[]);
    let document = empty.apply(&builder.finish(), &pool).unwrap();
    let meanings = convert::Meanings::new(&pool, &limits.declared);
    convert::docx::write("title", &document, meanings)
}
