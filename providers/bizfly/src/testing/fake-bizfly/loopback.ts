import { type LoopbackServer, serveLoopback } from '@kerf/provider-kit/testing'
import type { FakeBizfly } from './fake-bizfly.ts'
import { CLUSTER, CLUSTER_TOKEN, EMAIL, JOIN_ENDPOINT, PASSWORD } from './names.ts'

/** Serves the fake on a loopback address. */
export const serveBizfly = (fake: FakeBizfly): Promise<LoopbackServer> =>
  serveLoopback(async (request) => fake.answer(request))

/** Returns the environment in which `kerf` uses a served fake. */
export const bizflyEnv = ({ url }: Pick<LoopbackServer, 'url'>): Readonly<Record<string, string>> => ({
  BIZFLY_CLOUD_API_URL: url,
  BIZFLY_CLOUD_EMAIL: EMAIL,
  BIZFLY_CLOUD_PASSWORD: PASSWORD,
  BKE_CLUSTER_ID: CLUSTER,
  BKE_CLUSTER_TOKEN: CLUSTER_TOKEN,
  BKE_JOIN_ENDPOINT: JOIN_ENDPOINT,
})
