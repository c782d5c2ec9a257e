//! nginx that serves the shop's responses as files.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::resource::Resource;
use bench::http;
use xtask::process::{Failure, cannot_start, is_root};
use xtask::programs;
use xtask::workspace::free_port;

/// A running nginx, stopped on drop.
pub struct Nginx {
    child: Child,
    pub url: String,
}

impl Nginx {
    /// Starts nginx on the response bodies in `folder`.
    pub fn start(folder: &Path, resources: &[Resource]) -> Result<Self, Failure> {
        let program = programs::find_or_install("nginx", "nginx-light")?;
        let port = free_port()?;
        let settings = folder.join("nginx.conf");
        let text = configuration(folder, port, resources);
        fs::write(&settings, text).map_err(|error| Failure::new(format!("{}: {error}", settings.display())))?;
        let child = Command::new(&program)
            .arg("-p")
            .arg(folder)
            .arg("-c")
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| cannot_start("nginx", &error))?;
        let nginx = Self { child, url: format!("http://127.0.0.1:{port}") };
        nginx.wait_until_open(resources)?;
        Ok(nginx)
    }

    fn wait_until_open(&self, resources: &[Resource]) -> Result<(), Failure> {
        let path = resources.first().map_or("/", |resource| resource.path.as_str());
        for _ in 0..100 {
            if http::get(&self.url, path, &[]).is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::new("nginx does not respond"))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGKILL would leave its workers running.
        let stopped = Command::new("kill").args(["-s", "TERM", &self.child.id().to_string()]).status();
        if stopped.is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// Debian's default settings without the access log.
fn configuration(folder: &Path, port: u16, resources: &[Resource]) -> String {
    let folder = folder.display();
    // The workers must be able to read the folder.
    let user = if is_root() { "user root; " } else { "" };
    let locations: String = resources
        .iter()
        .map(|resource| {
            let encoding = match resource.encoding.as_str() {
                "identity" => String::new(),
                encoding => format!("add_header Content-Encoding {encoding}; "),
            };
            let (path, kind, name) = (&resource.path, &resource.content_type, &resource.name);
            format!("location = {path} {{ types {{}} default_type '{kind}'; {encoding}alias {folder}/{name}.body; }}\n")
        })
        .collect();
    format!(
        "{user}daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n\
         events {{ worker_connections 768; }}\n\
         http {{ sendfile on; tcp_nopush on; access_log off;\n\
         client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};\n\
         uwsgi_temp_path {folder}; scgi_temp_path {folder};\n\
         server {{ listen 127.0.0.1:{port};\n{locations}}} }}\n"
    )
}
