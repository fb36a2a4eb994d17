import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { karpenterKinds } from '@kerf/apis'
import { describeOnCluster, type TestCluster } from '@kerf/control-plane/testing'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { IMAGE_PROVIDER } from '../../../tools/image/image-provider.ts'
import { httpClient } from '../story/story-cluster.ts'
import { deploymentSpec } from './chart-env.ts'
import { chart, helm, parseDocuments, type Rendered, withValues } from './helm.ts'
import { manifestsFor, releasedChart } from './released.ts'
import { upstreamChart } from './upstream-chart.ts'

const KERF = releasedChart()
const NAMESPACE = '--namespace=kube-system'
/** The maximum number of checks whether the definitions are deleted, five seconds apart. */
const MOST_LOOKS = 12
/** The notes contain this text if the cluster lacks the custom resource definitions. */
const NO_CRDS = 'install the chart karpenter-crd'
const DEMO = '--set=settings.clusterName=demo'

afterAll(() => rmSync(dirname(KERF), { recursive: true, force: true }))

describeOnCluster('the charts, on a real API server', (shared) => {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await helm(args, shared().kubeconfig)
    if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const kubectl = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await (shared() as TestCluster).kubectl(args, input)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const get = async (...args: readonly string[]): Promise<Rendered> =>
    JSON.parse(await kubectl(['get', ...args, '-o', 'json'])) as Rendered
  const deployment = (): Promise<Rendered> => get('deployment', 'karpenter', '-n', 'kube-system')
  const releaseObjects = async (): Promise<ReadonlyMap<string, string>> => {
    const kinds = 'deployments,services,serviceaccounts,poddisruptionbudgets,roles,rolebindings'
    const selector = '-lapp.kubernetes.io/instance=karpenter'
    const lists = [
      await get(kinds, '-n', 'kube-system', selector),
      await get('clusterroles,clusterrolebindings', selector),
    ] as unknown as readonly { readonly items: readonly Rendered[] }[]
    return new Map(
      lists.flatMap(({ items }) => items).map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.uid ?? '']),
    )
  }

  const cleanUp = async (): Promise<void> => {
    await helm(['uninstall', 'karpenter', NAMESPACE, '--ignore-not-found'], shared().kubeconfig)
    await helm(['uninstall', 'karpenter-crd', NAMESPACE, '--ignore-not-found'], shared().kubeconfig)
    await shared().kubectl(['delete', 'nodepools', '--all', '--ignore-not-found', '--wait=true'])
    await deleteDefinitions()
  }
  /**
   * Deletes the custom resource definitions. If one is deleted while the API server still sets up its storage ("storage is
   * (re)initializing" in its log), it may not disappear until it changes once more.
   */
  const deleteDefinitions = async (): Promise<void> => {
    await kubectl(['delete', 'crd', '--all', '--wait=false'])
    for (let look = 1; ; look++) {
      const { code } = await shared().kubectl(['wait', 'crd', '--all', '--for=delete', '--timeout=5s'])
      if (code === 0 || (await kubectl(['get', 'crd', '-o', 'name'])) === '') return
      if (look === MOST_LOOKS) throw new Error('definitions stay although they were deleted')
      await shared().kubectl(['annotate', 'crd', '--all', '--overwrite', `kerf.sh/look=${look}`])
    }
  }
  beforeEach(cleanUp)
  afterEach(cleanUp)

  test('the API server accepts every rendered object, for all values', async () => {
    const broad = {
      fullnameOverride: 'kerf',
      additionalLabels: { team: 'platform' },
      additionalAnnotations: { owner: 'platform' },
      imagePullSecrets: [{ name: 'registry' }],
      serviceAccount: { annotations: { 'example.com/role': 'kerf' } },
      additionalClusterRoleRules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
      replicas: 1,
      podLabels: { mesh: 'off' },
      podAnnotations: { scrape: 'true' },
      terminationGracePeriodSeconds: 60,
      hostNetwork: true,
      dnsPolicy: 'Default',
      dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
      initContainers: [{ name: 'wait', image: 'busybox', command: ['true'] }],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'topology.kubernetes.io/zone' } },
          ],
        },
      },
      topologySpreadConstraints: [],
      tolerations: [{ operator: 'Exists' }],
      extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      controller: {
        containerName: 'kerf',
        image: { repository: 'registry.example.com/kerf', tag: 'v1', digest: `sha256:${'0'.repeat(64)}` },
        env: [{ name: 'KUBE_CLIENT_QPS', value: '50' }],
        envFrom: [{ configMapRef: { name: 'kerf', optional: true } }],
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        resources: { requests: { cpu: 1, memory: '1Gi' }, limits: { cpu: 1, memory: '1Gi' } },
        extraVolumeMounts: [{ name: 'ca', mountPath: '/ca' }],
        sidecarContainer: [{ name: 'log', image: 'busybox', volumeMounts: [{ name: 'ca', mountPath: '/own' }] }],
        sidecarVolumeMounts: [{ name: 'ca', mountPath: '/shared' }],
      },
      settings: {
        clusterName: 'demo',
        ignoreDRARequests: false,
        schedulerConfig: '{}',
        featureGates: { nodeOverlay: true, capacityBuffer: true, staticCapacity: true, nodeRepair: true },
      },
    }
    const minimal = { settings: { clusterName: 'demo' } }
    for (const values of [minimal, broad, { settings: { provider: 'kwok' } }]) {
      const rendered = await withValues(values, (flag) => helm(['template', 'karpenter', KERF, NAMESPACE, flag]))
      expect(rendered.stderr).toBe('')
      await kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], rendered.stdout)
    }
  })

  test('an install, an upgrade and an uninstall', async () => {
    const notes = await run(
      'install',
      'karpenter',
      KERF,
      NAMESPACE,
      DEMO,
      '--set=settings.assumeRoleARN=x',
      '--set=settings.featureGates.drift=true',
    )
    expect(notes).toContain('settings.interruptionQueue is empty')
    expect(notes).not.toContain(NO_CRDS)
    expect(notes).toContain('settings.assumeRoleARN is not a value of this chart and does nothing')
    expect(notes).toContain('settings.featureGates.drift is not a gate of this version and does nothing')
    const before = await releaseObjects()
    expect(before.size).toBe(13)
    await kubectl(['wait', '--for=condition=established', '--timeout=10m', 'crd', '--all'])

    // The notes must not report any value of the chart as unknown.
    const { settings } = parse(readFileSync(join(KERF, 'values.yaml'), 'utf8')) as { readonly settings: object }
    const all = JSON.stringify({ ...settings, clusterName: 'demo', interruptionQueue: 'demo' })
    const upgraded = await run('upgrade', 'karpenter', KERF, NAMESPACE, '--reset-values', `--set-json=settings=${all}`)
    expect(upgraded).not.toContain('does nothing')
    expect(await releaseObjects()).toEqual(before)

    await run('uninstall', 'karpenter', NAMESPACE)
    expect((await releaseObjects()).size).toBe(0)
    const kept = await kubectl(['get', 'crd', '-o', 'name'])
    const definitions = readdirSync(join(KERF, 'crds'))
    expect(definitions.length).toBeGreaterThan(5)
    for (const file of definitions) {
      const [definition] = parseDocuments(readFileSync(join(KERF, 'crds', file), 'utf8'))
      expect(kept).toContain(definition?.metadata.name)
    }
  })

  test('the chart in a checkout has no CRDs, and its notes name the chart that contains them', async () => {
    expect(await run('install', 'karpenter', chart('karpenter'), NAMESPACE, DEMO)).toContain(NO_CRDS)
    expect(await kubectl(['get', 'crd', '-o', 'name'])).toBe('')
  })

  describe('a release of Karpenter’s own chart', () => {
    let upstream = ''
    beforeEach(async () => {
      upstream = upstreamChart()
      await run('install', 'karpenter', upstream, NAMESPACE, DEMO)
      await kubectl(['wait', '--for=condition=established', '--timeout=10m', 'crd', '--all'])
    })
    afterEach(() => rmSync(dirname(upstream), { recursive: true, force: true }))

    test('is upgraded to Kerf in place, and rolled back', async () => {
      const client = httpClient(shared())
      const pool = {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        metadata: { name: 'general' },
        spec: {
          template: {
            spec: {
              nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
              requirements: [],
            },
          },
        },
      } as const
      await client.create(karpenterKinds.NodePool, pool)
      const before = await releaseObjects()
      const first = await deployment()
      await run('upgrade', 'karpenter', KERF, NAMESPACE, DEMO)
      // The upgrade replaces no object. It could not change a Deployment's selector anyway.
      expect(await releaseObjects()).toEqual(before)
      const second = await deployment()
      expect(deploymentSpec(second).selector).toEqual(deploymentSpec(first).selector)
      expect(deploymentSpec(second).template.spec.containers[0]?.image).toMatch(/kerf/)
      await run('rollback', 'karpenter', NAMESPACE)
      expect(deploymentSpec(await deployment()).template.spec).toEqual(deploymentSpec(first).template.spec)
      expect(await releaseObjects()).toEqual(before)
      await run('uninstall', 'karpenter', NAMESPACE)
      expect((await client.get(karpenterKinds.NodePool, { name: 'general' })).metadata.name).toBe('general')
      await client.close()
    })
  })

  test('the karpenter-crd chart adopts the resources of the other chart, and keeps them when it is uninstalled', async () => {
    await run('install', 'karpenter', KERF, NAMESPACE, DEMO)
    const install = ['karpenter-crd', chart('karpenter-crd'), NAMESPACE] as const
    const refused = await helm(['install', ...install], shared().kubeconfig)
    expect(refused.stderr).toContain('cannot be imported into the current release')
    await run('install', ...install, '--take-ownership')
    const names = await kubectl(['get', 'crd', '-o', 'name'])
    await run('uninstall', 'karpenter-crd', NAMESPACE)
    expect(await kubectl(['get', 'crd', '-o', 'name'])).toBe(names)
    // A later installation adopts the objects that remain.
    await run('install', ...install)
  })

  test.each([IMAGE_PROVIDER, 'kwok'])('kubectl applies the plain manifests for %s twice', async (provider) => {
    const { crds, karpenter } = manifestsFor(provider)
    try {
      await kubectl(['apply', '--server-side', '-f', '-'], crds)
      await kubectl(['apply', '--validate=strict', '-f', '-'], karpenter)
      const before = await deployment()
      const again = await kubectl(['apply', '-f', '-'], karpenter)
      // Server-side apply prints "configured" even if nothing has changed.
      expect(again).not.toContain('created')
      expect((await deployment()).metadata.generation).toBe(before.metadata.generation)
      const { template } = deploymentSpec(await deployment())
      expect(template.spec.serviceAccountName).toBe('karpenter')
    } finally {
      const ours = parseDocuments(karpenter)
      await kubectl(
        ['delete', '--ignore-not-found', '-f', '-'],
        ours.map((object) => JSON.stringify(object)).join('\n---\n'),
      )
    }
  })
})
