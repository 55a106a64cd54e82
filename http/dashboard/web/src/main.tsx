import { render } from "preact";
import { App } from "./app";
import { loadMessages } from "./text";
import "./css/base.css";
import "./css/controls.css";
import "./css/shell.css";
import "./css/tables.css";
import "./css/figures.css";
import "./css/manage.css";

const root = document.getElementById("app");
if (root) void loadMessages().then(() => render(<App />, root));
