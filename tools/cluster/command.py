"""tools/cluster/start and tools/cluster/stop."""
import argparse
import sys

from cluster import Cluster, Trouble
from layout import NUMBERS, PORTS, programs


def tell(cluster):
    layout, folder = cluster.layout, cluster.folder
    print(f"""Short links and the API: http://{layout.domain}, by a balancer in front of three servers
API key: {cluster.key}
A link: curl -H 'apikey: {cluster.key}' -d '{{"destination":"https://example.com/"}}' http://{layout.domain}/v1/links""")
    for number in NUMBERS:
        print(f"Server {number}: http://127.0.0.1:{layout.server(number)}, for operators http://127.0.0.1:{layout.operations(number)}/metrics,"
              f" dashboard http://localhost:{layout.dashboard(number)};"
              f" {programs()}/slashpost-admin --data {folder}/server{number} …")
    print(f"""The PostgreSQL that leads: {layout.database("slashpost", "slashpost")}
Which one that is: patronictl -c {folder}/postgres1.yml list
etcd: {",".join(f"http://127.0.0.1:{layout.etcd(number)}" for number in NUMBERS)}
The balancer's figures: http://127.0.0.1:{layout.statistics}
Logs, process numbers, settings and data: {folder}
To stop it: tools/cluster/stop {folder}""")


def port(text):
    if not text.isdigit() or not 1024 <= int(text) <= 65536 - PORTS:
        raise argparse.ArgumentTypeError(f"a number from 1024 to {65536 - PORTS}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(prog=f"tools/cluster/{sys.argv[1]}")
    parser.add_argument("folder", metavar="FOLDER")
    if sys.argv[1] == "start":
        parser.add_argument("--port", type=port, metavar="PORT", help=f"the first of a block of {PORTS}: 18100, or that of before")
    given = parser.parse_args(sys.argv[2:])
    try:
        cluster = Cluster(given.folder, getattr(given, "port", None))
        if sys.argv[1] == "stop":
            cluster.stop()
            return 0
        cluster.start()
    except Trouble as trouble:
        print(f"tools/cluster/{sys.argv[1]}: {trouble}", file=sys.stderr)
        return 1
    tell(cluster)
    return 0


if __name__ == "__main__":
    sys.exit(main())
