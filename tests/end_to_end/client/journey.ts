// A client generated from the OpenAPI document makes its way through the API of a running server. The types are
// the check as much as the answers: `tsc` refuses this file when the document does not say what is used here.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const [base, key] = [process.env.SLASHPOST_BASE, process.env.SLASHPOST_KEY];
assert.ok(base && key, 'SLASHPOST_BASE and SLASHPOST_KEY say where the server is');
const api = createClient<paths>({ baseUrl: `${base}/v1`, headers: { apikey: key } });

type Link = components['schemas']['Link'];

async function makeLink(slashtag: string, destination: string): Promise<Link> {
  const { data, error } = await api.POST('/links', { body: { destination, slashtag, favourite: true } });
  assert.ok(data, JSON.stringify(error));
  return data;
}

/** As a visitor of the link's own host, whose name no resolver knows here. */
async function follow(link: Link): Promise<void> {
  const asked = get(`${base}/${link.slashtag}`, { headers: { host: link.domainName, 'user-agent': 'curl/8.0' } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 302);
  assert.equal(answer.headers.location, link.destination);
}

async function clicksReach(link: Link, clicks: number): Promise<void> {
  for (let attempt = 0; ; ++attempt) {
    const { data } = await api.GET('/links/{link_id}', { params: { path: { link_id: link.id } } });
    if (data?.clicks === clicks) return;
    assert.ok(attempt < 50, `${data?.clicks} clicks of ${clicks}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const link = await makeLink('client', 'https://example.com/from?a=client');
assert.equal(link.destination, 'https://example.com/from?a=client');
assert.equal(link.status, 'active');
await follow(link);
await clicksReach(link, 1);

const refused = await api.POST('/links', { body: { destination: 'javascript:alert(1)', slashtag: 'client' } });
assert.equal(refused.response.status, 403);
const broken = refused.error as components['schemas']['Error'];
assert.deepEqual(broken.errors?.map((field) => field.property).sort(), ['destination', 'slashtag']);

const tag = await api.POST('/tags', { body: { name: 'From a client', color: 'ddeeff' } });
assert.ok(tag.data);
const path = { link_id: link.id, tag_id: tag.data.id };
assert.ok((await api.POST('/links/{link_id}/tags/{tag_id}', { params: { path } })).response.ok);

const tagged = await api.GET('/links', { params: { query: { 'tag.id': [tag.data.id], favourite: true, limit: 5 } } });
assert.deepEqual(tagged.data?.map((each) => each.tags.map((one) => one.name)), [['From a client']]);
const count = await api.GET('/links/count', { params: { query: { favourite: true } } });
assert.equal(count.data?.count, 1);

const changed = await api.POST('/links/{link_id}', {
  params: { path: { link_id: link.id } },
  body: { title: 'Changed', destination: 'https://example.com/changed' },
});
assert.ok(changed.data);
assert.equal(changed.data.title, 'Changed');
await follow(changed.data);

const statistics = await api.GET('/links/{link_id}/statistics', {
  params: { path: { link_id: link.id }, query: { interval: 'day', by: 'device' } },
});
assert.ok(statistics.data);
assert.equal(statistics.data.buckets.length, 30);
const shares = statistics.data.buckets.map((day) => (day.by ?? []).reduce((sum, each) => sum + each.clicks, 0));
assert.deepEqual(shares, statistics.data.buckets.map((day) => day.clicks));
const endless = await api.GET('/links/{link_id}/statistics', {
  params: { path: { link_id: link.id }, query: { from: '2020-01-01', interval: 'hour' } },
});
assert.equal((endless.error as components['schemas']['Error']).errors?.[0]?.property, 'from');

const account = await api.GET('/account');
assert.equal(account.data?.subscription.limits.links?.used, 1);

const gone = await api.DELETE('/links/{link_id}', { params: { path: { link_id: link.id } } });
assert.equal(gone.data?.status, 'deleted');
const after = await api.GET('/links/{link_id}', { params: { path: { link_id: link.id } } });
assert.equal(after.response.status, 404);
