#!/usr/bin/env python3
"""What operators see of a running server: its metrics, and the first line of its log."""
import json
import os
import re
import subprocess
import time
import unittest
from pathlib import Path

from slashpost import PROGRAMS, Connection, Server, temporary_folder, wait_until

# Prometheus's text format: `name{label="text",...} value`.
SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="[^"\\\n]*",?)*)\})? (\S+)')
ROOT = Path(__file__).parents[2]
VERSION = subprocess.run([PROGRAMS / "slashpost", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


class Metrics(unittest.TestCase):
    def server(self, *arguments):
        server = Server(temporary_folder(self) / "store", *arguments)
        self.addCleanup(server.end)
        return server.start()

    def text(self, server):
        connection = Connection(server.ops_port, host="localhost")
        self.addCleanup(connection.close)
        return connection.ask("GET", "/metrics").body.decode()

    def values(self, server):
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
                for line in self.text(server).splitlines() if not line.startswith("#")}

    def test_every_family_has_a_help_a_type_and_samples_that_can_be_read(self):
        types, helped = {}, set()
        for line in self.text(self.server()).splitlines():
            if line.startswith("# HELP "):
                name, sentence = line[7:].split(" ", 1)
                self.assertTrue(sentence.endswith("."), line)
                self.assertNotIn(name, helped, "each family comes once")
                helped.add(name)
            elif line.startswith("# TYPE "):
                name, kind = line[7:].split(" ")
                types[name] = kind
            else:
                sample = SAMPLE.fullmatch(line)
                self.assertIsNotNone(sample, line)
                name = sample.group(1)
                family = name if name in types else re.sub(r"_(bucket|sum|count)$", "", name)
                self.assertIn(family, types, line)
                self.assertEqual(types[family] == "counter", name.endswith("_total"), line)
                float(sample.group(3))
        self.assertEqual(helped, types.keys())

    def test_promtool_finds_nothing_wrong_with_what_a_server_exports(self):
        server = self.server("--backup-to", str(temporary_folder(self)))
        self.used(server)
        checked = subprocess.run(["promtool", "check", "metrics"], input=self.text(server), capture_output=True, text=True,
                                 check=False)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, "", ""))

    def test_the_alerts_come_when_they_should(self):
        checked = subprocess.run(["promtool", "test", "rules", ROOT / "tests/data/metrics/rules_test.yml"], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_what_the_alerts_and_the_dashboard_look_at_is_exported(self):
        server = self.server("--backup-to", str(temporary_folder(self)), "--tls-listen", "127.0.0.1:0", "--certificates",
                             str(temporary_folder(self)))
        self.used(server)
        exported = {re.split(r"[{ ]", line)[0] for line in self.text(server).splitlines() if not line.startswith("#")}
        dashboard = json.loads((ROOT / "tools/packaging/slashpost.grafana.json").read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        rules = (ROOT / "tools/packaging/slashpost.rules.yml").read_text()
        expressions += re.findall(r"^ +expr: (?:>-\n)?((?:.+\n)(?: {10}\S.*\n)*)", rules, re.M)
        self.assertGreater(len(expressions), 30)
        for expression in expressions:
            names = set(re.findall(r"\b(?:slashpost|process)_\w+", expression))
            self.assertTrue(names, expression)
            self.assertLessEqual(names, exported, expression)

    def test_each_operation_that_was_called_has_its_own_durations(self):
        server = self.server()
        self.used(server)
        values = self.values(server)
        self.assertEqual(values['slashpost_api_duration_seconds_count{operation="countLinks"}'], 3)
        self.assertEqual(values['slashpost_api_duration_seconds_bucket{operation="countLinks",le="+Inf"}'], 3)
        self.assertFalse([name for name in values if 'operation="deleteLink"' in name])

    def used(self, server):
        connection = server.connect()
        for _ in range(3):
            connection.wanted("GET", "/v1/links/count")

    def test_the_program_says_its_version_in_the_metrics_and_first_of_all_in_the_log(self):
        server = self.server()
        self.assertEqual(self.values(server)[f'slashpost_build_info{{version="{VERSION}"}}'], 1)
        server.says(" starting ")
        first = server.log("err").read_text().splitlines()[0]
        self.assertRegex(first, rf"^\S+ info  starting version={re.escape(VERSION)}$")

    def test_the_figures_of_the_process_are_what_the_system_says(self):
        server = self.server()
        values = self.values(server)
        proc = Path(f"/proc/{server.process.pid}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
        kilobytes = {name: int(status[name].split()[0]) * 1024 for name in ("VmRSS", "VmSize")}
        self.assertAlmostEqual(values["process_resident_memory_bytes"] / kilobytes["VmRSS"], 1, delta=0.3)
        self.assertAlmostEqual(values["process_virtual_memory_bytes"] / kilobytes["VmSize"], 1, delta=0.3)
        self.assertAlmostEqual(values["process_open_fds"], len(list((proc / "fd").iterdir())), delta=3)
        limit = re.search(r"^Max open files +(\d+)", (proc / "limits").read_text(), re.M)
        self.assertEqual(values["process_max_fds"], int(limit.group(1)))
        self.assertAlmostEqual(values["process_start_time_seconds"], time.time(), delta=60)
        ticks = sum(map(int, (proc / "stat").read_text().rsplit(")", 1)[1].split()[11:13]))
        self.assertAlmostEqual(values["process_cpu_seconds_total"], ticks / os.sysconf("SC_CLK_TCK"), delta=1)

    def test_refused_calls_are_counted(self):
        server = self.server("--rate-limit", "3")
        connection = server.connect()
        statuses = [connection.ask("GET", "/v1/links").status for _ in range(5)]
        self.assertEqual(statuses, [200, 200, 200, 429, 429])
        stranger = Connection(server.port, "0" * 64)
        self.assertEqual([stranger.ask("GET", "/v1/links").status for _ in range(3)], [401] * 3)
        values = self.values(server)
        self.assertEqual(values["slashpost_api_rate_limited_total"], 2)
        self.assertEqual(values["slashpost_api_keys_refused_total"], 3)

    def test_mails_that_wait_and_links_that_are_indexed_show(self):
        server = self.server("--rate-limit", "0", "--smtp-url", "smtp://127.0.0.1:9", "--smtp-from", "post@example.com")
        values = self.values(server)
        self.assertEqual(values["slashpost_mails_waiting"], 0)
        self.assertEqual(values["slashpost_jobs_waiting"], 0)
        self.assertEqual(values["slashpost_index_links_total"], 0)
        connection = server.connect()
        main = next(one["id"] for one in connection.wanted("GET", "/v1/workspaces") if one["default"])
        connection.wanted("POST", f"/v1/workspaces/{main}/invite", {"emails": ["ann@example.com", "bob@example.com"]})
        self.assertEqual(self.values(server)["slashpost_mails_waiting"], 2)
        for _ in range(11):
            connection.wanted("PUT", "/v1/links", [{"destination": "https://example.com/"}] * 100)
        wait_until(lambda: self.values(server)["slashpost_index_links_total"] >= 1000
                   and self.values(server)["slashpost_index_behind_seconds"] == 0, 20, "the links are indexed")


if __name__ == "__main__":
    unittest.main()
