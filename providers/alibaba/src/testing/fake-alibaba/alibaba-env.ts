import type { LoopbackServer } from '@kerf/provider-kit/testing'
import { ACCESS_KEY, CLUSTER, REGION } from './names.ts'

/** Returns the environment in which `kerf` uses a served fake: its address, cluster, region and keys. */
export const alibabaEnv = ({ host }: Pick<LoopbackServer, 'host'>): Readonly<Record<string, string>> => ({
  ALIBABA_CLOUD_ACCESS_KEY_ID: ACCESS_KEY.id,
  ALIBABA_CLOUD_ACCESS_KEY_SECRET: ACCESS_KEY.secret,
  ALIBABA_ENDPOINT_URL: `http://${host}`,
  CLUSTER_ID: CLUSTER,
  REGION_ID: REGION,
})
