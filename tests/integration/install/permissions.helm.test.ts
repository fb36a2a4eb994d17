import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodePool } from '@kerf/apis'
import { findComponents, freePort } from '@kerf/control-plane'
import { generatedEntries } from '@kerf/provider-kwok'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerNames } from '../../../packages/cli/src/providers.ts'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { runDeletionStory } from '../story/by-hand-story.ts'
import { deviceInstanceTypes, runDevicesStory } from '../story/devices-story.ts'
import { runDriftStory } from '../story/drift-story.ts'
import { runGracePeriodStory } from '../story/grace-period-story.ts'
import { runStaticPoolStory } from '../story/static-pool-story.ts'
import { realStory, type StoryCluster } from '../story/story-cluster.ts'
import { runLegacyStory, runOptionsStory } from './all-options-story.ts'
import { type AuditedPlane, startAuditedPlane } from './audited-plane.ts'
import { chartEnvironment } from './chart-env.ts'
import { accountGrants, allowedByOthers, forbidden, unused } from './granted.ts'
import { chart, helm, named, parseDocuments, type Rendered, render, withValues } from './helm.ts'
import { KeptProcess } from './kept-process.ts'

const ACCOUNT = { namespace: 'kube-system', name: 'karpenter' }
const components = findComponents()
const why = 'missing' in components ? ` (skipped: no ${components.missing.join(', ')})` : ''

const stories: readonly (readonly [string, (cluster: StoryCluster) => Promise<void>])[] = [
  ['drift', runDriftStory],
  ['a grace period that ends with forced deletion', runGracePeriodStory],
  ['a static pool', runStaticPoolStory],
  ['deletion by hand', runDeletionStory],
  ['an overlay and buffers', runOptionsStory],
  ['the old API', runLegacyStory],
]

/** Returns values that enable every feature, so that all conditional rules are granted and must be used. */
const valuesWith = (catalogue: string) => ({
  settings: {
    provider: 'kwok',
    ignoreDRARequests: false,
    schedulerConfig:
      'podTopologySpread: {defaultConstraints: [{maxSkew: 50, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway}]}',
    featureGates: { nodeOverlay: true, capacityBuffer: true, staticCapacity: true, nodeRepair: true },
  },
  controller: {
    env: [
      { name: 'INSTANCE_TYPES_FILE_PATH', value: catalogue },
      { name: 'LEGACY_APIS', value: 'true' },
    ],
  },
})

/** Tests permissions that no request uses directly: without them, the API server refuses a NodeClaim that its NodePool owns. */
const tellOwnersStory = async ({ kubectl }: AuditedPlane): Promise<void> => {
  const pool = JSON.parse(await kubectl(['get', 'nodepool', 'devices', '-o', 'json'])) as NodePool
  const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'devices', uid: pool.metadata.uid }
  const claim = JSON.stringify({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'owned', ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
    spec: { nodeClassRef: pool.spec.template.spec.nodeClassRef, requirements: [] },
  })
  const asKerf = `--as=system:serviceaccount:${ACCOUNT.namespace}:${ACCOUNT.name}`
  const create = (): Promise<string> => kubectl(['create', '--dry-run=server', asKerf, '-f', '-'], claim)
  expect(await create()).toContain('created')
  const role = JSON.parse(await kubectl(['get', 'clusterrole', 'karpenter-core', '-o', 'json'])) as Rendered
  const rules = role.rules?.filter(({ resources }) => !resources.includes('nodepools/finalizers'))
  await kubectl(['replace', '-f', '-'], JSON.stringify({ ...role, rules }))
  // The authorizer reads roles from a cache, which lags behind.
  for (let look = 0; look < 100; look++) {
    const refusal = await create().then(
      () => undefined,
      (error: Error) => error,
    )
    if (refusal === undefined) continue
    expect(refusal.message).toContain('cannot set blockOwnerDeletion')
    return
  }
  throw new Error('the permission to set owners was taken away, and is not missed')
}

describe.skipIf('missing' in components)(`the roles of the chart, with every option on${why}`, () => {
  let audited: AuditedPlane | undefined
  let cluster: StoryCluster | undefined
  let kerf: KeptProcess | undefined
  const directory = mkdtempSync(join(tmpdir(), 'kerf-permissions-'))

  beforeAll(async () => {
    const started = await startAuditedPlane(ACCOUNT)
    audited = started
    const catalogue = join(directory, 'types.json')
    const devices: unknown = JSON.parse(readFileSync(deviceInstanceTypes, 'utf8'))
    writeFileSync(catalogue, JSON.stringify([...generatedEntries(), ...(devices as readonly unknown[])]))
    const { kubeconfig } = started.plane
    const installed = await withValues(valuesWith(catalogue), (flag) =>
      helm(['install', 'karpenter', chart('karpenter'), '--namespace=kube-system', '--skip-crds', flag], kubeconfig),
    )
    expect(installed.stderr).toBe('')
    const { stdout } = await helm(['get', 'manifest', 'karpenter', '--namespace=kube-system'], kubeconfig)
    const env = chartEnvironment(named(parseDocuments(stdout), 'Deployment'), {
      SYSTEM_NAMESPACE: 'kube-system',
      CPU_REQUESTS: '2000',
      MEMORY_LIMIT: '-1',
    })
    const port = await freePort()
    const account = await started.accountKubeconfig()
    cluster = await realStory(
      started.plane,
      async () => {
        const process = KeptProcess.start(account, [`--metrics-port=${port}`, '--log-format=json'], env)
        kerf = process
        return async () => {
          expect(await process.stop()).toBe(0)
        }
      },
      async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    )
  })
  afterAll(async () => {
    await kerf?.kill()
    await audited?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  test.concurrent.each(stories)('are sufficient for %s', async (_name, tell) => {
    if (cluster === undefined) throw new Error('no cluster')
    try {
      await tell(cluster)
    } catch (error) {
      throw new Error(`${error}\nThe process said last:\n${kerf?.output.slice(-4_000)}`, { cause: error })
    }
  })

  test('are valid for every provider', async () => {
    for (const provider of providerNames) {
      const roles = (await render({ settings: { provider, clusterName: 'demo' } })).filter(({ kind }) =>
        /^(?:Cluster)?Role(?:Binding)?$/.test(kind),
      )
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: roles })
      const onServer = ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', '-']
      const applied = await audited?.kubectl(onServer, list)
      expect(applied?.trim().split('\n'), provider).toHaveLength(roles.length)
    }
  })

  // This test must be last: it counts all NodeClaims of the cluster, and ends the process.
  test('are used completely, and Kerf needs no other permissions', async () => {
    if (cluster === undefined || audited === undefined) throw new Error('no cluster')
    await audited.kubectl(['delete', 'nodepools', '--all', '--wait=false'])
    await audited.kubectl(['delete', 'capacitybuffers', '--all', '-n', 'options'])
    await cluster.until('the nodes of the stories to be gone', async () => {
      const left = await audited?.kubectl(['get', 'nodeclaims', '-o', 'name'])
      return left === ''
    })
    // The next story creates a node class with this name.
    await audited.kubectl(['delete', 'kwoknodeclass', 'default'])
    await runDevicesStory(cluster)
    await cluster.close()
    const requests = audited.requests()
    const grants = await accountGrants(audited, ACCOUNT)
    expect(grants.length).toBeGreaterThan(50)
    expect(forbidden(requests)).toEqual([])
    expect(unused(grants, requests, await processPermissions('kwok'))).toEqual([])
    expect(allowedByOthers(requests, new Set(grants.map(({ role }) => role)))).toEqual([])
    await tellOwnersStory(audited)
  })
})
