// Which certificate is for whom, and how the folder is kept up with.
#include "http/server/certificates.h"

#include "tests/http/server/tls_client.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using std::chrono::milliseconds;

std::string first_name(const Certificate* certificate) {
    return certificate == nullptr || certificate->names().empty() ? "" : certificate->names().front();
}

CertificateSet::Item item(const std::string& folder, const std::vector<std::string>& names, int days = 90) {
    const TemporaryFolder files;
    write_pair(files.path(), make_pem(names, {.days = days}));
    auto read = Certificate::read(files.path() / "fullchain.pem", files.path() / "privkey.pem");
    REQUIRE(read.has_value());
    return {.folder = folder, .certificate = *read};
}

// What was reported, by any thread.
class Reports {
  public:
    void add(const CertificateNews& news) {
        const std::lock_guard lock(mutex_);
        lines_.push_back((news.kind == CertificateNews::Kind::loaded    ? "loaded "
                          : news.kind == CertificateNews::Kind::removed ? "removed "
                                                                        : "broken ") +
                         news.folder + (news.reason.empty() ? "" : ": " + news.reason));
    }
    std::vector<std::string> lines() {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

  private:
    std::mutex mutex_;
    std::vector<std::string> lines_;
};

Certificates::Options watching(const TemporaryFolder& folder, Reports& reports,
                               milliseconds look_every = milliseconds(10)) {
    return {.folder = folder.path(),
            .default_host = {},
            .look_every = look_every,
            .report = [&reports](const CertificateNews& news) { reports.add(news); }};
}

} // namespace

TEST_CASE("the names in a certificate decide whom it is for, not its folder", "[tls]") {
    const CertificateSet set({item("a", {"go.example.com", "go.example.com", "Link.Example.COM"}),
                              item("go.example.com", {"other.example"}), item("old", {"subject.only", ""})});
    CHECK(set.size() == 3);
    CHECK(first_name(set.choose("go.example.com")) == "go.example.com");
    CHECK(first_name(set.choose("GO.Example.com.")) == "go.example.com");
    CHECK(first_name(set.choose("link.example.com")) == "go.example.com");
    CHECK(first_name(set.choose("other.example")) == "other.example");
    CHECK(first_name(set.choose("subject.only")) == "subject.only");
    CHECK(set.covers("go.example.com"));
    CHECK_FALSE(set.covers("example.com"));
    CHECK_FALSE(set.covers(""));
}

TEST_CASE("a wildcard stands for one label, and the very name goes before it", "[tls]") {
    const CertificateSet set({item("example.com", {"*.example.com", "*.example.com", "example.com"}),
                              item("go", {"go.example.com"}), item("z", {"z.example"})},
                             "z.example");
    CHECK(first_name(set.choose("a.example.com")) == "*.example.com");
    CHECK(first_name(set.choose("example.com")) == "*.example.com");
    CHECK(first_name(set.choose("go.example.com")) == "go.example.com");
    CHECK(first_name(set.choose("a.b.example.com")) == "z.example");
    CHECK(first_name(set.choose(".example.com")) == "z.example");
    CHECK(first_name(set.choose("*.example")) == "z.example");
    CHECK_FALSE(set.covers("a.b.example.com"));
}

TEST_CASE("of two certificates for a name the one that expires later is shown", "[tls]") {
    const auto sooner = item("a", {"first", "go.example.com", "only.example.com"}, 10);
    const auto later = item("b", {"second", "go.example.com"}, 80);
    for (const auto& items : {std::vector{sooner, later}, std::vector{later, sooner}}) {
        const CertificateSet set(items);
        CHECK(set.choose("go.example.com") == later.certificate.get());
        CHECK(set.choose("only.example.com") == sooner.certificate.get());
        CHECK(set.first_expiry() == sooner.certificate->expires());
    }
}

TEST_CASE("who asks for no known host gets the default", "[tls]") {
    const auto a = item("a", {"a.example"});
    const auto b = item("b", {"b.example"});
    const auto by_name = item("default", {"c.example"});
    CHECK(CertificateSet().choose("a.example") == nullptr);
    CHECK(CertificateSet().first_expiry() == 0);
    CHECK(CertificateSet({b, a}).choose("") == a.certificate.get());
    CHECK(CertificateSet({b, a}, "b.example:8080").choose("x.example") == b.certificate.get());
    CHECK(CertificateSet({b, a, by_name}, "b.example").choose("") == by_name.certificate.get());
    CHECK(CertificateSet({by_name, a}).choose("") == by_name.certificate.get());
}

TEST_CASE("a pair that cannot serve is refused with the reason", "[tls]") {
    const TemporaryFolder folder;
    const PemPair good = make_pem({"go.example.com"});
    const PemPair weak = make_pem({"go.example.com"}, {.rsa_bits = 1024});
    const PemPair locked = make_pem({"go.example.com"}, {.password = "secret"});
    const struct {
        std::string chain, key, reason;
    } cases[] = {
        {good.chain, make_pem({"go.example.com"}).key, "privkey.pem: it does not go with fullchain.pem"},
        {good.key, good.key, "fullchain.pem: it holds no certificate"},
        {good.chain, good.chain, "privkey.pem: it holds no key without a password"},
        {good.chain, locked.key, "privkey.pem: it holds no key without a password"},
        {good.chain, "", "privkey.pem: it holds no key without a password"},
        {good.chain.substr(0, good.chain.size() / 2), good.key, "fullchain.pem: it holds no certificate"},
        {good.chain + good.chain.substr(0, good.chain.size() / 2), good.key,
         "fullchain.pem: its chain is broken"},
        {weak.chain, weak.key, "privkey.pem: it does not go with fullchain.pem"},
        {std::string(300'000, 'x'), good.key, "fullchain.pem: it is larger than a certificate is"},
    };
    for (const auto& [chain, key, reason] : cases) {
        INFO(reason);
        write_pair(folder.path(), {chain, key});
        const auto read = Certificate::read(folder.path() / "fullchain.pem", folder.path() / "privkey.pem");
        REQUIRE_FALSE(read.has_value());
        CHECK_THAT(read.error().message, Catch::StartsWith(reason));
    }
    write_pair(folder.path(), good);
    CHECK(Certificate::read(folder.path() / "fullchain.pem", folder.path() / "privkey.pem").has_value());
    for (const auto& missing : {folder.path(), folder.path() / "none.pem"}) {
        const auto read = Certificate::read(missing, folder.path() / "privkey.pem");
        REQUIRE_FALSE(read.has_value());
        CHECK_THAT(read.error().message, Catch::Contains("there is no such file"));
    }
}

TEST_CASE("a folder as certbot leaves it is read through its symbolic links", "[tls]") {
    const TemporaryFolder folder;
    const TemporaryFolder archive;
    write_pair(archive.path() / "1", make_pem({"first.example"}));
    write_pair(archive.path() / "2", make_pem({"second.example"}));
    const auto live = folder.path() / "go.example.com";
    std::filesystem::create_directories(live);
    write_file(folder.path() / "README", "This directory contains your keys and certificates.");
    const auto link_to = [&](const char* version) {
        for (const char* name : {"fullchain.pem", "privkey.pem"}) {
            std::filesystem::remove(live / name);
            std::filesystem::create_symlink(archive.path() / version / name, live / name);
        }
    };
    link_to("1");
    Reports reports;
    Certificates certificates(watching(folder, reports));
    REQUIRE(certificates.start().has_value());
    CHECK(certificates.current()->covers("first.example"));
    link_to("2");
    CHECK(until([&] { return certificates.current()->covers("second.example"); }));
    CHECK_FALSE(certificates.current()->covers("first.example"));
    CHECK(reports.lines() == std::vector<std::string>{"loaded go.example.com", "loaded go.example.com"});
}

TEST_CASE("a pair that breaks leaves the one before in force and is told of once", "[tls]") {
    const TemporaryFolder folder;
    const auto place = folder.path() / "go";
    write_pair(place, make_pem({"go.example.com"}));
    write_pair(folder.path() / "never", {"nonsense", "nonsense"});
    Reports reports;
    Certificates certificates(watching(folder, reports));
    REQUIRE(certificates.start().has_value());
    const auto before = certificates.current();
    CHECK(before->size() == 1);
    REQUIRE(reports.lines().size() == 2);
    CHECK(reports.lines()[0] == "loaded go");
    CHECK_THAT(reports.lines()[1], Catch::StartsWith("broken never: fullchain.pem: it holds no certificate"));

    const PemPair next = make_pem({"next.example.com"});
    write_file(place / "privkey.pem", next.key);
    CHECK(until([&] { return reports.lines().size() == 3; }));
    CHECK_THAT(reports.lines()[2], Catch::StartsWith("broken go: privkey.pem: it does not go with"));
    std::this_thread::sleep_for(milliseconds(100)); // ten more looks
    CHECK(reports.lines().size() == 3);
    CHECK(certificates.current() == before);

    std::filesystem::remove(place / "fullchain.pem");
    CHECK(until([&] { return reports.lines().size() == 4; }));
    CHECK(reports.lines()[3] == "broken go: fullchain.pem: there is no such file");
    CHECK(certificates.current() == before);

    write_file(place / "fullchain.pem", next.chain);
    CHECK(until([&] { return certificates.current()->covers("next.example.com"); }));
    CHECK(reports.lines().back() == "loaded go");
}

TEST_CASE("whoever asks for a reload is told again what is broken", "[tls]") {
    const TemporaryFolder folder;
    write_pair(folder.path() / "go", {"nonsense", "nonsense"});
    Reports reports;
    Certificates certificates(watching(folder, reports, std::chrono::hours(1)));
    REQUIRE(certificates.start().has_value());
    CHECK(reports.lines().size() == 1);
    certificates.reload();
    CHECK(reports.lines().size() == 2);
    write_pair(folder.path() / "go", make_pem({"go.example.com"}));
    certificates.reload();
    CHECK(reports.lines().back() == "loaded go");
    CHECK(certificates.current()->covers("go.example.com"));
}

TEST_CASE("a folder that is taken away takes its certificate with it", "[tls]") {
    const TemporaryFolder folder;
    write_pair(folder.path() / "a", make_pem({"a.example"}));
    write_pair(folder.path() / "b", make_pem({"b.example"}));
    Reports reports;
    Certificates certificates(watching(folder, reports));
    REQUIRE(certificates.start().has_value());
    std::filesystem::remove_all(folder.path() / "a");
    CHECK(until([&] { return !certificates.current()->covers("a.example"); }));
    CHECK(certificates.current()->covers("b.example"));
    CHECK(reports.lines().back() == "removed a");
}

TEST_CASE("when all folders cannot be read any more, all certificates stay", "[tls]") {
    const TemporaryFolder parent;
    const auto live = parent.path() / "live";
    write_pair(live / "a", make_pem({"a.example"}));
    Reports reports;
    Certificates certificates({.folder = live,
                               .default_host = {},
                               .look_every = milliseconds(10),
                               .report = [&reports](const CertificateNews& news) { reports.add(news); }});
    REQUIRE(certificates.start().has_value());
    std::filesystem::rename(live, parent.path() / "elsewhere");
    CHECK(until([&] { return reports.lines().size() == 2; }));
    CHECK_THAT(reports.lines()[1], Catch::Contains("cannot read the folder"));
    CHECK(certificates.current()->covers("a.example"));

    std::ofstream(live) << "no folder";
    Certificates nowhere({.folder = live, .default_host = {}, .report = {}});
    CHECK_FALSE(nowhere.start().has_value());
}

TEST_CASE("a folder that is not there yet is waited for", "[tls]") {
    const TemporaryFolder parent;
    const auto live = parent.path() / "letsencrypt" / "live";
    Reports reports;
    Certificates certificates({.folder = live,
                               .default_host = {},
                               .look_every = milliseconds(10),
                               .report = [&reports](const CertificateNews& news) { reports.add(news); }});
    REQUIRE(certificates.start().has_value());
    CHECK(certificates.current()->size() == 0);
    write_pair(live / "a", make_pem({"a.example"}));
    CHECK(until([&] { return certificates.current()->covers("a.example"); }));
    for (const auto& line : reports.lines())
        CHECK_THAT(line, !Catch::Contains("cannot read the folder"));
}

} // namespace slashpost::http
