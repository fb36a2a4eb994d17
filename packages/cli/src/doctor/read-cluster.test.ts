import { kinds } from '@kerf/apis'
import { ApiError, type KubeClient } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { readPermitted } from '../report/cluster-reader.ts'
import { Audit } from './audit.ts'
import { loadChecks } from './checks.ts'
import { auditFindings } from './finding.ts'
import { readCluster } from './read-cluster.ts'

const checks = await loadChecks()

const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message: 'pods is forbidden' })
const unauthorized = new ApiError({ code: 401, reason: 'Unauthorized', message: 'log in again' })

/**
 * Returns a client for a cluster without objects, whose server refuses some lists. `refuse` receives the kind and the number of
 * earlier requests.
 */
const clientRefusing = (refuse: (kind: string, asked: number) => ApiError | undefined): KubeClient => {
  let asked = 0
  const list = async ({ kind }: { readonly kind: string }): Promise<unknown> => {
    const error = refuse(kind, asked++)
    if (error !== undefined) throw error
    return { metadata: {}, items: [] }
  }
  return { list } as Partial<KubeClient> as KubeClient
}
const reportOf = (client: KubeClient): Promise<unknown> => readPermitted(client, 'a cluster', { namespace: 'default' })

test.each([
  ['doctor and migrate cas', readCluster],
  ['report', reportOf],
])('%s: stops reading if the login expires half-way', async (_what, read) => {
  const client = clientRefusing((_kind, asked) => (asked >= 12 ? unauthorized : undefined))
  await expect(read(client)).rejects.toBe(unauthorized)
})

test.each([
  ['doctor and migrate cas', readCluster],
  ['report', reportOf],
])('%s: fails if the account may list nothing, and reads the rest if it may list something', async (_what, read) => {
  await expect(read(clientRefusing(() => forbidden))).rejects.toBe(forbidden)
  await expect(read(clientRefusing((kind) => (kind === 'Node' ? undefined : forbidden)))).resolves.toBeDefined()
})

test('a check does not pass if it used a kind that could not be read', async () => {
  const audit = async (refused: (kind: string) => boolean): Promise<Audit> => {
    const { objects, unread } = await readCluster(clientRefusing((kind) => (refused(kind) ? forbidden : undefined)))
    return new Audit({
      objects,
      now: 0,
      source: { kind: 'cluster', unread },
      typesOf: () => undefined,
      vocabulary: { normalize: (key) => key } as Audit['vocabulary'],
    })
  }
  const passed = (findings: ReturnType<typeof auditFindings>): readonly string[] =>
    findings.filter(({ status }) => status === 'pass').map(({ id }) => id)
  expect(passed(auditFindings(await audit((kind) => kind !== 'Secret' && kind !== 'Lease'), checks))).toEqual([
    'CLD-009',
  ])
  const withoutPods = auditFindings(await audit((kind) => kind === kinds.Pod.kind), checks)
  expect(withoutPods.find(({ id }) => id === 'WL-003')).toMatchObject({
    status: 'skipped',
    seen: 'you cannot list pods',
  })
  // WL-008 uses a result that is computed from pods once and cached for all checks.
  expect(passed(withoutPods)).not.toContain('WL-008')
  expect(passed(auditFindings(await audit(() => false), checks))).toContain('WL-003')
})
