#include "app/countries.h"

namespace slashpost::app {

namespace {

void log_news(Log& log, const std::filesystem::path& file, const geo::CountryFileNews& news) {
    switch (news.kind) {
    case geo::CountryFileNews::Kind::loaded:
        return log.info("countries loaded", {{"file", file.native()}});
    case geo::CountryFileNews::Kind::missing:
        return log.warn("there is no file of countries; they are known as soon as there is one",
                        {{"file", file.native()}});
    case geo::CountryFileNews::Kind::broken:
        return log.error("the file of countries is not taken; the one before, if any, stays in use",
                         {{"file", file.native()}, {"reason", news.reason}});
    }
}

} // namespace

std::unique_ptr<geo::CountryFile> countries_of(const Config& config, Log& log) {
    if (config.geoip.empty())
        return nullptr;
    return std::make_unique<geo::CountryFile>(geo::CountryFile::Options{
        .file = config.geoip, .report = [&log, file = config.geoip](const geo::CountryFileNews& news) {
            log_news(log, file, news);
        }});
}

} // namespace slashpost::app
