import { ownField } from '@kerf/apis'
import type { ManagedResource, ZonalShift, ZonalShiftApi } from './aws-api.ts'
import { awsPartition } from './partition.ts'
import { type SdkOptions, sdkCounters } from './sdk-clients.ts'
import { type JsonRequest, listAt, signedJson, textAt } from './sdk-signed-json.ts'

const SERVICE = 'arc-zonal-shift'
const MOST_BYTES = 4 * 1024 * 1024

const parseShift = (value: unknown): ZonalShift => {
  const expiry = ownField(value, 'expiryTime')
  return {
    awayFrom: textAt(value, 'awayFrom'),
    isApplied: textAt(value, 'appliedStatus') === 'APPLIED',
    // The value is in seconds and may have a fraction.
    ...(typeof expiry === 'number' ? { expiresAt: expiry * 1000 } : {}),
  }
}

/** Parses the response of GetManagedResource, which contains the shifts that users started and the autoshifts that AWS started. */
const answerResource = (answer: unknown): ManagedResource => ({
  shifts: [...listAt(answer, 'zonalShifts'), ...listAt(answer, 'autoshifts')].map(parseShift),
})

/** Returns an unsigned GetManagedResource request for the service `arc-zonal-shift`. */
export const managedResourceRequest = (
  { region, endpoint, version }: Pick<SdkOptions, 'region' | 'endpoint' | 'version'>,
  arn: string,
): JsonRequest => {
  const { dnsSuffix } = awsPartition(region)
  const base = new URL(endpoint ?? `https://${SERVICE}.${region}.${dnsSuffix}`)
  return {
    method: 'GET',
    protocol: base.protocol,
    hostname: base.hostname,
    ...(base.port === '' ? {} : { port: Number(base.port) }),
    path: `${base.pathname.replace(/\/$/, '')}/managedresources/${encodeURIComponent(arn)}`,
    query: {},
    headers: { host: base.host, accept: 'application/json', 'user-agent': `karpenter.sh-${version}` },
  }
}

/**
 * Returns a client for Amazon Application Recovery Controller. The SDK's client is not in the package registry, so Kerf builds the single
 * request itself from the API model (REST with JSON, signature version 4). Credentials, connections and timeouts are those of the SDK's
 * clients. Kerf does not retry a failed request, because the next one follows within 30 seconds.
 */
export const sdkZonalShift = (options: SdkOptions): ZonalShiftApi => {
  const counted = sdkCounters(options)
  const send = signedJson(options, { service: SERVICE, region: options.region, mostBytes: MOST_BYTES })
  return {
    getManagedResource: (arn, signal) =>
      counted('ARC Zonal Shift', 'GetManagedResource', async () =>
        answerResource(await send(managedResourceRequest(options, arn), signal)),
      ),
  }
}
