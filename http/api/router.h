#pragma once
// Method and path to a route and what its braces stand for. A fixed segment wins over a parameter, so
// "/links/count" is never a link called count. Segments are percent-decoded; one trailing slash is tolerated.
#include "http/api/route.h"

#include <map>
#include <memory>
#include <span>

namespace slashpost::api {

class Router {
  public:
    struct Match {
        const RouteList* list = nullptr;
        const Route* route = nullptr; // nothing when the path exists but not with this method
        PathParameters path;
        std::vector<http::Method> methods; // that the path has; empty when there is no such path
    };

    // The lists must outlive the router. Two routes with the same method and path are a mistake in the
    // table: the program ends with a message.
    explicit Router(std::span<const RouteList* const> lists);
    ~Router();
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    // `path` is what follows "/v1", still encoded, without the query. HEAD finds what GET finds, if that only
    // reads.
    [[nodiscard]] Match match(http::Method method, std::string_view path) const;

  private:
    struct Node;
    void add(const RouteList& list, const Route& route);

    std::unique_ptr<Node> root_;
};

} // namespace slashpost::api
