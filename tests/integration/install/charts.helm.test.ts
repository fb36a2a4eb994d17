import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSettings } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { providerNamed, providerNames } from '../../../packages/cli/src/providers.ts'
import { type RunSettings, runSettings } from '../../../packages/cli/src/run/run-settings.ts'
import { imageName, imageReference, stampedWith } from '../../../tools/image/image-name.ts'
import { alerts } from '../monitoring/monitoring-files.ts'
import { chartEnvironment, deploymentSpec } from './chart-env.ts'
import { chart, helm, named, parseDocuments, type Rendered, render } from './helm.ts'
import { manifestsFor, releasedChart } from './released.ts'

// This file has more than 400 lines, because all tests share the rendered charts and the comparison with the settings of the process.

/** The values of `settings.provider`, as Helm lists them. */
const knownNames = providerNames
  .toSorted()
  .map((name) => `'${name}'`)
  .join(', ')

const demo = { settings: { clusterName: 'demo' } }

/** Returns the settings that `kerf run` reads from the environment of a Deployment. */
const objectSettings = (objects: readonly Rendered[]): RunSettings => {
  const { settings, warnings } = parseSettings(runSettings, chartEnvironment(named(objects, 'Deployment')))
  expect(warnings).toEqual([])
  return settings
}

const ruleTexts = (objects: readonly Rendered[]): readonly string[] =>
  objects
    .filter(({ kind, metadata }) => kind.endsWith('Role') && !/-(admin|metrics-reader)$/.test(metadata.name))
    .flatMap(({ rules = [] }) =>
      rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
        resources.map((resource) => [apiGroups[0], resource, verbs.join(','), ...(resourceNames ?? [])].join(' ')),
      ),
    )

describe('the karpenter chart', () => {
  test('lints', async () => {
    for (const name of ['karpenter', 'karpenter-crd'] as const) {
      const { code, stdout } = await helm(['lint', '--strict', chart(name), '--set=settings.clusterName=demo'])
      expect(stdout).toContain('0 chart(s) failed')
      expect(code).toBe(0)
    }
  })

  test('has the same defaults as the process', async () => {
    const settings = objectSettings(await render(demo))
    const untold = parseSettings(runSettings, {}).settings
    // The chart's defaults equal those of the process, except the cluster name and the values that describe the installation itself.
    const own = [
      ...(['clusterName', 'provider', 'karpenterService', 'systemNamespace', 'memoryLimit'] as const),
      // Karpenter's chart sets the default of this value for AWS. The process leaves the default to the provider.
      'vmMemoryOverheadPercent' as const,
    ]
    const told = Object.fromEntries(own.map((key) => [key, settings[key]]))
    expect({ ...settings }).toEqual({ ...untold, ...told })
    expect(told).toEqual({
      clusterName: 'demo',
      provider: 'aws',
      karpenterService: 'karpenter',
      systemNamespace: 'kube-system',
      memoryLimit: 1_073_741_824,
      vmMemoryOverheadPercent: 0.075,
    })
  })

  test('the process knows every variable that the chart sets', async () => {
    const known = new Set(Object.values(runSettings).flatMap(({ env }) => env ?? []))
    // Karpenter's binary reads this variable for its own libraries, and Kerf ignores it.
    known.add('KUBERNETES_MIN_VERSION')
    const everything = { settings: { clusterName: 'demo', schedulerConfig: '{}', planBudget: '0' } }
    for (const values of [demo, everything, { settings: { provider: 'kwok' } }]) {
      const names = Object.keys(chartEnvironment(named(await render(values), 'Deployment')))
      expect(names.filter((name) => !known.has(name))).toEqual([])
    }
  })

  test.each<readonly [string, unknown, Partial<RunSettings>]>([
    ['batchMaxDuration', '30s', { batchMaxDuration: 30_000 }],
    ['batchIdleDuration', '2s', { batchIdleDuration: 2_000 }],
    ['preferencePolicy', 'Ignore', { preferencePolicy: 'Ignore' }],
    ['minValuesPolicy', 'BestEffort', { minValuesPolicy: 'BestEffort' }],
    ['clusterCABundle', 'Q0E=', { clusterCABundle: 'Q0E=' }],
    ['clusterEndpoint', 'https://demo.example.com', { clusterEndpoint: 'https://demo.example.com' }],
    [
      'clusterEndpoint',
      'https://{{ .Release.Name }}.example.com',
      { clusterEndpoint: 'https://karpenter.example.com' },
    ],
    ['isolatedVPC', true, { isolatedVpc: true }],
    ['eksControlPlane', true, { eksControlPlane: true }],
    ['vmMemoryOverheadPercent', 0.065, { vmMemoryOverheadPercent: 0.065 }],
    ['vmMemoryOverheadPercent', '0.05', { vmMemoryOverheadPercent: 0.05 }],
    ['vmMemoryOverheadPercent', 0, { vmMemoryOverheadPercent: 0 }],
    ['interruptionQueue', 'demo', { interruptionQueue: 'demo' }],
    ['enableZonalShift', true, { enableZonalShift: true }],
    ['reservedENIs', '1', { reservedENIs: 1 }],
    ['reservedENIs', 2, { reservedENIs: 2 }],
    ['ignoreDRARequests', false, { ignoreDraRequests: false }],
    ['disableClusterStateObservability', true, { disableClusterStateObservability: true }],
    ['disableDryRun', true, { disableDryRun: true }],
    ['amiRefreshInterval', '5m', { amiRefreshInterval: 300_000 }],
    ['subnetRefreshInterval', '5m', { subnetRefreshInterval: 300_000 }],
    ['legacyApis', true, { legacyApis: true }],
    ['planBudget', 0, { planBudget: 0 }],
    ['planBudget', '50', { planBudget: 50 }],
    ['metricsAuthorization', true, { metricsAuthorization: true }],
  ])('settings.%s = %j reaches the process', async (name, value, expected) => {
    expect(objectSettings(await render({ settings: { clusterName: 'demo', [name]: value } }))).toMatchObject(expected)
  })

  test.each<readonly [string, unknown, Partial<RunSettings>]>([
    ['clusterAPIKubeconfig', '/etc/management/config', { clusterApiKubeconfig: '/etc/management/config' }],
    ['clusterAPIURL', 'https://10.0.0.1:6443', { clusterApiUrl: 'https://10.0.0.1:6443' }],
    ['clusterAPIToken', 'secret', { clusterApiToken: 'secret' }],
    ['clusterAPICertificateAuthorityData', 'a\nb\n', { clusterApiCertificateAuthorityData: 'a\nb\n' }],
    ['clusterAPISkipTLSVerify', true, { clusterApiSkipTlsVerify: true }],
  ])(
    '%s = %j reaches the process from settings, and from env as in upstream’s chart',
    async (name, value, expected) => {
      const provider = 'cluster-api'
      expect(objectSettings(await render({ settings: { provider, [name]: value } }))).toMatchObject(expected)
      expect(objectSettings(await render({ settings: { provider }, env: { [name]: value } }))).toMatchObject(expected)
    },
  )

  test('settings for Cluster API that upstream’s chart does not have reach the process', async () => {
    const settings = { provider: 'cluster-api', clusterAPICluster: 'a/b', clusterAPITemplateDrift: false }
    expect(objectSettings(await render({ settings }))).toMatchObject({
      clusterApiCluster: 'a/b',
      clusterApiTemplateDrift: false,
    })
  })

  test('settings.aws, as in charts up to 0.31, reaches the process, and with legacyApis a message names each key', async () => {
    const aws = {
      clusterName: 'demo',
      clusterEndpoint: 'https://demo.example.com',
      interruptionQueueName: 'queue',
      isolatedVPC: true,
      vmMemoryOverheadPercent: 0.1,
      reservedENIs: '1',
      defaultInstanceProfile: 'nodes',
      enablePodENI: false,
      tags: { team: 'a' },
    }
    const expected = {
      clusterName: 'demo',
      clusterEndpoint: 'https://demo.example.com',
      interruptionQueue: 'queue',
      isolatedVpc: true,
      vmMemoryOverheadPercent: 0.1,
      reservedENIs: 1,
    }
    const plain = await render({ settings: { aws } })
    expect(objectSettings(plain)).toMatchObject(expected)
    expect(plain.map(({ kind }) => kind)).not.toContain('ConfigMap')
    const served = await render({ settings: { aws, legacyApis: true } })
    expect(objectSettings(served)).toMatchObject({ ...expected, legacyApis: true })
    const map = named(served, 'ConfigMap', 'karpenter-global-settings') as {
      readonly metadata: object
      readonly data?: object
    }
    expect(map.metadata).toMatchObject({ name: 'karpenter-global-settings', namespace: 'kube-system' })
    expect(map.data).toEqual({
      'aws.clusterName': 'demo',
      'aws.clusterEndpoint': 'https://demo.example.com',
      'aws.interruptionQueueName': 'queue',
      'aws.isolatedVPC': 'true',
      'aws.vmMemoryOverheadPercent': '0.1',
      'aws.reservedENIs': '1',
      'aws.defaultInstanceProfile': 'nodes',
      'aws.enablePodENI': 'false',
      'aws.tags': '{"team":"a"}',
    })
  })

  test('feature gates, scheduler settings, ports and log settings reach the process', async () => {
    const settings = objectSettings(
      await render({
        logLevel: 'debug',
        logOutputPaths: ['stdout', '/tmp/kerf.log'],
        logErrorOutputPaths: ['stdout'],
        controller: { metrics: { port: 9_000 }, healthProbe: { port: 9_001 } },
        settings: {
          clusterName: 'demo',
          featureGates: {
            nodeRepair: true,
            nodeOverlay: true,
            reservedCapacity: false,
            spotToSpotConsolidation: true,
            staticCapacity: true,
            capacityBuffer: true,
          },
          awsFeatureGates: { nodeClassCEL: true },
          schedulerConfig:
            'podTopologySpread: {defaultConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway}]}',
        },
      }),
    )
    expect(settings).toMatchObject({
      logLevel: 'debug',
      logOutputPaths: ['stdout', '/tmp/kerf.log'],
      logErrorOutputPaths: ['stdout'],
      metricsPort: 9_000,
      healthProbePort: 9_001,
      featureGates: {
        NodeRepair: true,
        NodeOverlay: true,
        ReservedCapacity: false,
        SpotToSpotConsolidation: true,
        StaticCapacity: true,
        CapacityBuffer: true,
      },
      awsFeatureGates: { NodeClassCEL: true },
    })
    expect(settings.defaultSpreadConstraints).toHaveLength(1)
  })

  test('sets each variable once, and controller.env overrides the chart’s value', async () => {
    const env = [
      { name: 'LOG_LEVEL', value: 'debug' },
      { name: 'CPU_REQUESTS', value: '3000' },
      { name: 'KUBE_CLIENT_QPS', value: '50' },
    ]
    const deployment = named(await render({ ...demo, controller: { env } }), 'Deployment')
    const names = deploymentSpec(deployment).template.spec.containers[0]?.env.map(({ name }) => name) ?? []
    expect(new Set(names).size).toBe(names.length)
    expect(chartEnvironment(deployment)).toMatchObject({
      LOG_LEVEL: 'debug',
      CPU_REQUESTS: '3000',
      KUBE_CLIENT_QPS: '50',
    })
  })

  test('accepts the values of the older guides unchanged', async () => {
    const objects = await render({}, [
      '--set=settings.clusterName=myCluster',
      '--set=settings.interruptionQueue=myCluster',
      '--set=controller.resources.requests.cpu=1',
      '--set=controller.resources.requests.memory=1Gi',
      '--set=controller.resources.limits.cpu=1',
      '--set=controller.resources.limits.memory=1Gi',
      '--set=serviceAccount.annotations.eks\\.amazonaws\\.com/role-arn=arn:aws:iam::012345678901:role/myCluster-karpenter',
    ])
    expect(objectSettings(objects)).toMatchObject({ clusterName: 'myCluster', interruptionQueue: 'myCluster' })
    expect(named(objects, 'ServiceAccount').metadata.annotations).toEqual({
      'eks.amazonaws.com/role-arn': 'arn:aws:iam::012345678901:role/myCluster-karpenter',
    })
    const amounts = { cpu: 1, memory: '1Gi' }
    expect(deploymentSpec(named(objects, 'Deployment')).template.spec.containers[0]?.resources).toEqual({
      requests: amounts,
      limits: amounts,
    })
  })

  test('keeps the controller off nodes that it manages, and its replicas on different nodes', async () => {
    const { affinity, tolerations, topologySpreadConstraints } = deploymentSpec(named(await render(demo), 'Deployment'))
      .template.spec
    const selector = {
      matchLabels: { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' },
    }
    expect(affinity).toEqual({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] }],
        },
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: selector },
        ],
      },
    })
    expect(topologySpreadConstraints).toEqual([
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: selector,
      },
    ])
    expect(tolerations).toEqual([{ key: 'CriticalAddonsOnly', operator: 'Exists' }])
  })

  test('creates a ServiceMonitor only if the API of the Prometheus operator exists', async () => {
    const values = {
      ...demo,
      serviceMonitor: { enabled: true, additionalLabels: { release: 'p' }, sampleLimit: 5_000 },
    }
    const kindsOf = (objects: readonly Rendered[]) => objects.map(({ kind }) => kind)
    expect(kindsOf(await render(values))).not.toContain('ServiceMonitor')
    const objects = await render(values, ['--api-versions=monitoring.coreos.com/v1'])
    const monitor = named(objects, 'ServiceMonitor')
    expect(monitor.metadata.labels).toMatchObject({ release: 'p' })
    expect(monitor.spec).toMatchObject({ sampleLimit: 5_000, endpoints: [{ port: 'http-metrics', path: '/metrics' }] })
  })

  test('contains the alert rules and the dashboard if they are enabled, identical to their files', async () => {
    const values = { ...demo, prometheusRule: { enabled: true }, grafanaDashboard: { enabled: true } }
    expect((await render(demo)).map(({ kind, metadata }) => `${kind} ${metadata.name}`).join()).not.toMatch(/dashboard/)
    expect((await render(values)).map(({ kind }) => kind)).not.toContain('PrometheusRule')
    const objects = await render(values, ['--api-versions=monitoring.coreos.com/v1'])
    const { groups } = named(objects, 'PrometheusRule').spec as unknown as { groups: readonly { rules: unknown }[] }
    expect(groups[0]?.rules).toEqual(alerts)
    const shown = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-dashboard'))
    expect(shown?.metadata.labels).toMatchObject({ grafana_dashboard: '1' })
    const { data } = shown as unknown as { data: Readonly<Record<string, string>> }
    expect(JSON.parse(data['kerf.json'] ?? '')).toMatchObject({ title: 'Kerf' })
  })

  test('creates a NetworkPolicy if enabled, which allows probes from everywhere and scrapes from the named peers', async () => {
    const of = async (networkPolicy: object) => {
      const objects = await render({ ...demo, networkPolicy })
      return objects.find(({ kind }) => kind === 'NetworkPolicy')?.spec
    }
    expect((await render(demo)).map(({ kind }) => kind)).not.toContain('NetworkPolicy')
    const probes = { ports: [{ port: 'http', protocol: 'TCP' }] }
    // A rule for metrics without peers would allow access from everywhere.
    expect(await of({ enabled: true })).toEqual({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' },
      },
      policyTypes: ['Ingress'],
      ingress: [probes],
    })
    const prometheus = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }
    const sidecar = { ports: [{ port: 9_000 }] }
    expect(await of({ enabled: true, metricsFrom: [prometheus], additionalIngress: [sidecar] })).toMatchObject({
      ingress: [probes, { from: [prometheus], ports: [{ port: 'http-metrics', protocol: 'TCP' }] }, sidecar],
    })
  })

  test('if scrapes need authorization, grants access to reviews and contains a role for scrapers', async () => {
    const objects = await render({ settings: { clusterName: 'demo', metricsAuthorization: true } })
    expect(named(objects, 'ClusterRole', 'karpenter-metrics-reader').rules).toEqual([
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ])
    const reviews = ['authentication.k8s.io tokenreviews create', 'authorization.k8s.io subjectaccessreviews create']
    expect(ruleTexts(objects)).toEqual(expect.arrayContaining(reviews))
    const usual = await render(demo)
    for (const review of reviews) expect(ruleTexts(usual)).not.toContain(review)
    expect(usual.map(({ metadata }) => metadata.name)).not.toContain('karpenter-metrics-reader')
  })

  test.each<readonly [string, readonly string[], RegExp]>([
    ['no cluster name', [], /settings\.clusterName is required: the name of the EKS cluster/],
    ['an unknown policy', ['settings.preferencePolicy=Maybe'], /preferencePolicy.*'Respect', 'Ignore'/],
    ['a duration without a unit', ['settings.batchMaxDuration=10'], /batchMaxDuration/],
    ['an invalid duration', ['settings.batchMaxDuration=soon'], /batchMaxDuration/],
    ['an endpoint that is not a URL', ['settings.clusterEndpoint=demo.example.com'], /clusterEndpoint/],
    ['a gate that is neither on nor off', ['settings.featureGates.nodeRepair=maybe'], /nodeRepair/],
    ['an unknown cloud', ['settings.provider=hetzner'], new RegExp(`provider.*${knownNames}`)],
    ['an invalid digest', ['controller.image.digest=latest'], /digest/],
    ['resources other than requests and limits', ['controller.resources.cpu=1'], /resources.*'cpu'/],
    ['words for replicas', ['replicas=two'], /replicas.*integer/],
    ['a misspelt field of the policy', ['networkPolicy.metricFrom[0].podSelector={}'], /networkPolicy.*'metricFrom'/],
    ['a negative share', ['settings.vmMemoryOverheadPercent=-1'], /vmMemoryOverheadPercent/],
  ])('refuses %s, and names the value', async (_name, values, message) => {
    const name = values.length === 0 ? [] : ['--set=settings.clusterName=demo']
    await expect(render({}, [...name, ...values.map((value) => `--set=${value}`)])).rejects.toThrow(message)
  })
})

describe('the roles of the chart', () => {
  const overlays = ' nodeoverlays list,watch'
  const added = async (values: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const usual = new Set(ruleTexts(await render(demo)))
    return ruleTexts(await render(values)).filter((rule) => !usual.has(rule))
  }

  test('grant no permissions for disabled features', async () => {
    const rules = ruleTexts(await render(demo)).join('\n')
    for (const absent of ['nodeoverlays', 'capacitybuffers', 'resource.k8s.io', 'kwok', 'secrets', ' services list'])
      expect(rules).not.toContain(absent)
    expect(rules).not.toContain('*')
  })

  test('follow the chart’s values', async () => {
    const settings = (more: object) => ({ settings: { clusterName: 'demo', ...more } })
    expect(await added(settings({ featureGates: { nodeOverlay: true } }))).toEqual([
      `karpenter.sh${overlays}`,
      'karpenter.sh nodeoverlays/status patch',
    ])
    expect(await added(settings({ ignoreDRARequests: false }))).toEqual([
      'resource.k8s.io deviceclasses list,watch',
      'resource.k8s.io resourceclaims list,watch',
      'resource.k8s.io resourceslices list,watch',
      'resource.k8s.io resourceclaimtemplates get',
    ])
    expect((await added(settings({ featureGates: { capacityBuffer: true } }))).join('\n')).toContain('capacitybuffers')
    expect((await added(settings({ schedulerConfig: '{}' }))).join('\n')).toContain(' services list,watch')
  })

  test('follow controller.env, which overrides the chart’s values', async () => {
    const env = (name: string, value: string) => ({ ...demo, controller: { env: [{ name, value }] } })
    expect((await added(env('FEATURE_GATES', 'StaticCapacity=true, NodeOverlay=true'))).join('\n')).toContain(overlays)
    const off = {
      settings: { clusterName: 'demo', featureGates: { nodeOverlay: true } },
      controller: { env: [{ name: 'FEATURE_GATES', value: 'NodeOverlay=false' }] },
    }
    expect(await added(off)).toEqual([])
    expect((await added(env('IGNORE_DRA_REQUESTS', 'F'))).join('\n')).toContain('resource.k8s.io')
    expect(await added(env('LEADER_ELECTION_NAME', 'mine'))).toEqual(['coordination.k8s.io leases get,update mine'])
    // Even without leader election, Kerf looks for Leases of other controllers.
    const without = ruleTexts(await render(env('DISABLE_LEADER_ELECTION', 'true')))
    expect(without.filter((rule) => rule.includes('leases'))).toEqual(['coordination.k8s.io leases list'])
  })

  test('include additionalClusterRoleRules', async () => {
    const rule = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }
    const objects = await render({ ...demo, additionalClusterRoleRules: [rule] })
    expect(named(objects, 'ClusterRole', 'karpenter-core').rules).toContainEqual(rule)
  })

  test('contain no empty role with the KWOK provider and everything disabled', async () => {
    const env = [
      { name: 'DISABLE_LEADER_ELECTION', value: 'true' },
      { name: 'KWOK_SIMULATE_KUBELET', value: 'false' },
    ]
    const objects = await render({ settings: { provider: 'kwok' }, controller: { env } })
    const roles = objects.filter(({ kind }) => kind.endsWith('Role'))
    for (const { rules, metadata } of roles) expect(rules?.length, metadata.name).toBeGreaterThan(0)
    // The ConfigMaps of the price book and of commitments can be created at any time.
    const configMap = (name: string) => ({
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: [name],
      verbs: ['get'],
    })
    expect(objects.filter(({ kind }) => kind === 'Role').flatMap(({ rules = [] }) => rules)).toEqual(
      ['kerf-prices', 'kerf-commitments'].map(configMap),
    )
  })
})

describe.each(providerNames)('the plain manifests of %s', (provider) => {
  const { crds, karpenter } = manifestsFor(provider)

  test('contain the CRDs of NodePools and of its node classes, and the controller', () => {
    const classes = providerNamed(provider).nodeClasses.map(({ resource }) => resource.kind.kind)
    const defined = parseDocuments(crds).map(({ spec }) => spec?.['names'])
    const names = ['NodePool', 'NodeClaim', ...classes].map((kind) => expect.objectContaining({ kind }))
    expect(defined).toEqual(expect.arrayContaining(names))
    expect(named(parseDocuments(karpenter), 'Deployment').metadata.namespace).toBe('kube-system')
    expect(karpenter).not.toContain('managed-by: Helm')
  })

  test('use the image of the chart, and in a release the pushed image', () => {
    expect(karpenter.match(/image: .+/g)).toEqual([`image: ${imageReference(imageName())}`])
    const digest = `sha256:${'ab'.repeat(32)}`
    const manifest = stampedWith(karpenter, imageName(), { repository: 'ghcr.io/owner/kerf/controller', digest })
    expect(manifest).toContain(`image: ghcr.io/owner/kerf/controller:0.1.0@${digest}\n`)
  })
})

describe('the karpenter-crd chart', () => {
  test('contains the custom resource definitions of the karpenter chart, and keeps them when it is uninstalled', async () => {
    const { stdout } = await helm(['template', 'karpenter-crd', chart('karpenter-crd')])
    const crds = parseDocuments(stdout)
    expect(crds.map(({ metadata }) => metadata.annotations)).toEqual(
      crds.map(() => ({ 'helm.sh/resource-policy': 'keep' })),
    )
    const specs = (objects: readonly Rendered[]) =>
      objects
        .map(({ metadata, spec }) => ({ name: metadata.name, spec }))
        .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
    const released = releasedChart()
    try {
      const folder = join(released, 'crds')
      const bare = readdirSync(folder).flatMap((file) => parseDocuments(readFileSync(join(folder, file), 'utf8')))
      expect(specs(crds)).toEqual(specs(bare))
    } finally {
      rmSync(dirname(released), { recursive: true, force: true })
    }
  })
})
