import { execFileSync } from 'node:child_process'
import { parseSettings } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { parseSubnetId, type SubnetId } from '../resource-ids/subnet-id.ts'
import { azureSettings } from '../settings/azure-settings.ts'
import { customData } from './custom-data.ts'
import { chooseGpuDriver } from './gpu-driver.ts'
import type { NodeFacts } from './node-facts.ts'

const subnet: SubnetId | undefined = parseSubnetId(
  '/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes',
)

const factsOf = (more: Partial<NodeFacts> = {}, env: Readonly<Record<string, string>> = {}): NodeFacts => {
  if (subnet === undefined) throw new Error('the subnet of the test cannot be read')
  return {
    settings: parseSettings(azureSettings, {
      CLUSTER_ENDPOINT: 'https://demo-12345678.hcp.westeurope.azmk8s.io:443',
      KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
      KUBELET_IDENTITY_CLIENT_ID: '33333333-3333-3333-3333-333333333333',
      AZURE_NODE_RESOURCE_GROUP: 'MC_demo',
      AZURE_TENANT_ID: 'tenant',
      AZURE_SUBSCRIPTION_ID: 'subscription',
      LOCATION: 'westeurope',
      NETWORK_POLICY: 'cilium',
      ...env,
    }).settings,
    ...{
      subnet,
      securityGroup: 'nsg',
      routeTable: 'routes',
      caBundle: 'Q0E=',
      arch: 'amd64',
      sizeName: 'Standard_D4s_v5',
    },
    ...{ installsGpuDriver: false, kubernetesVersion: '1.34.2', kubelet: undefined, maxPods: 250 },
    ...{ dnsServiceIP: '10.1.0.10', kubeReserved: { cpu: '140m', memory: '1638Mi' } },
    taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }],
    labels: { team: 'a', 'kubernetes.azure.com/kubelet-identity-client-id': '' },
    ...more,
  }
}

const scriptOf = (facts: NodeFacts): string => Buffer.from(customData(facts), 'base64').toString('utf8')

/** Runs the script in a shell. Returns the variables that it exports for the provisioning. */
const exported = (facts: NodeFacts): Readonly<Record<string, string>> => {
  const [variables = ''] = scriptOf(facts).split('\n\n# What the provisioning waits for')
  const text = execFileSync('bash', ['--norc', '-c', `${variables}\nenv -0`], { env: {}, encoding: 'utf8' })
  return Object.fromEntries(
    text
      .split('\0')
      .flatMap((line) => (line === '' ? [] : [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]])),
  )
}

const flagsOf = (facts: NodeFacts): ReadonlyMap<string, string> =>
  new Map(
    (exported(facts)['KUBELET_FLAGS'] ?? '')
      .split(' ')
      .map((flag) => [flag.slice(0, flag.indexOf('=')), flag.slice(flag.indexOf('=') + 1)]),
  )

const decoded = (text = ''): string => Buffer.from(text, 'base64').toString('utf8')

test('the script exports the facts of the cluster, the network and the node', () => {
  expect(exported(factsOf())).toMatchObject({
    API_SERVER_NAME: 'demo-12345678.hcp.westeurope.azmk8s.io',
    KUBE_CA_CRT: 'Q0E=',
    TLS_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
    TENANT_ID: 'tenant',
    SUBSCRIPTION_ID: 'subscription',
    RESOURCE_GROUP: 'MC_demo',
    LOCATION: 'westeurope',
    USER_ASSIGNED_IDENTITY_ID: '33333333-3333-3333-3333-333333333333',
    SUBNET: 'nodes',
    VIRTUAL_NETWORK: 'v',
    VIRTUAL_NETWORK_RESOURCE_GROUP: 'net',
    NETWORK_SECURITY_GROUP: 'nsg',
    ROUTE_TABLE: 'routes',
    NETWORK_PLUGIN: 'none',
    NETWORK_POLICY: 'cilium',
    KUBELET_NODE_LABELS: 'team=a,kubernetes.azure.com/kubelet-identity-client-id=',
    GPU_NODE: 'false',
    ADMINUSER: 'azureuser',
  })
})

test('any label value is quoted as text', () => {
  const labels = { odd: `a'b"$(touch /tmp/no) \`x\` \\` }
  expect(exported(factsOf({ labels }))['KUBELET_NODE_LABELS']).toBe(`odd=${labels.odd}`)
})

test('the script is a valid shell script, and starts the provisioning of the image', () => {
  const script = scriptOf(factsOf())
  execFileSync('bash', ['--norc', '-n'], { input: script })
  expect(script).toMatch(/^#!\/bin\/bash\n/)
  expect(script.trimEnd().split('\n').at(-1)).toBe('/usr/bin/nohup /bin/bash /opt/azure/containers/provision_start.sh')
})

describe('kubelet flags', () => {
  test('depend on the Kubernetes version', () => {
    const at = (kubernetesVersion: string) => [...flagsOf(factsOf({ kubernetesVersion })).keys()]
    const changing = [
      ...['--keep-terminated-pod-volumes', '--cloud-config', '--pod-infra-container-image'],
      ...['--image-credential-provider-config', '--azure-container-registry-config'],
    ]
    const present = (version: string) => changing.filter((name) => at(version).includes(name))
    expect(present('1.29.9')).toEqual([changing[0], changing[1], changing[2], changing[4]])
    expect(present('1.30.0')).toEqual([changing[0], changing[1], changing[2], changing[3]])
    expect(present('1.31.0')).toEqual([changing[1], changing[2], changing[3]])
    expect(present('1.34.0')).toEqual([changing[2], changing[3]])
    expect(present('1.35.1')).toEqual([changing[3]])
  })

  test('depend on the class, the taints and the values that instance types were computed with', () => {
    const flags = flagsOf(
      factsOf({
        maxPods: 30,
        taints: [
          { key: 'team', value: 'a', effect: 'NoSchedule' },
          { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
        ],
        kubelet: {
          ...{ imageGCHighThresholdPercent: 70, cpuCFSQuota: false, cpuManagerPolicy: 'static', podPidsLimit: 100 },
          ...{ allowedUnsafeSysctls: ['kernel.msg*', 'net.a'], containerLogMaxSize: '10Mi', containerLogMaxFiles: 3 },
          topologyManagerPolicy: 'best-effort',
        },
      }),
    )
    expect(Object.fromEntries(flags)).toMatchObject({
      '--max-pods': '30',
      '--register-with-taints': 'team=a:NoSchedule,karpenter.sh/unregistered:NoExecute',
      '--eviction-hard': 'memory.available<750Mi',
      '--kube-reserved': 'cpu=140m,memory=1638Mi',
      '--cluster-dns': '10.1.0.10',
      '--image-gc-high-threshold': '70',
      '--image-gc-low-threshold': '80',
      '--cpu-cfs-quota': 'false',
      '--cpu-manager-policy': 'static',
      '--topology-manager-policy': 'best-effort',
      '--pod-max-pids': '100',
      '--allowed-unsafe-sysctls': 'kernel.msg*,net.a',
      '--container-log-max-size': '10Mi',
      '--container-log-max-files': '3',
    })
  })
})

test.each([
  [{}, 'none'],
  [{ NETWORK_PLUGIN_MODE: '' }, 'none'],
  [{ NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure' }, 'azure'],
  [{ NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure', NETWORK_PLUGIN: 'none' }, 'none'],
])('the network plugin of the image with %j: %s', (env, plugin) => {
  expect(exported(factsOf({}, env))['NETWORK_PLUGIN']).toBe(plugin)
})

test('components of an old Kubernetes that the image lacks are downloaded, for the architecture', () => {
  const fetched = (kubernetesVersion: string, arch = 'amd64') => exported(factsOf({ kubernetesVersion, arch }))
  expect(fetched('1.33.5', 'arm64')['KUBE_BINARY_URL']).toMatch(
    /v1\.33\.5\/binaries\/kubernetes-node-linux-arm64\.tar\.gz$/,
  )
  expect(fetched('1.34.0')['KUBE_BINARY_URL']).toBe('')
  expect(fetched('1.29.9')['CREDENTIAL_PROVIDER_DOWNLOAD_URL']).toBe('')
  expect(fetched('1.31.2')['CREDENTIAL_PROVIDER_DOWNLOAD_URL']).toContain('v1.31.6')
  expect(fetched('1.36.0')['CREDENTIAL_PROVIDER_DOWNLOAD_URL']).toContain('v1.33.0')
})

test('with AKS’s drivers NVIDIA’s runtime is the default, without them runc is', () => {
  const withDriver = exported(factsOf({ sizeName: 'Standard_NC4as_T4_v3', installsGpuDriver: true }))
  expect(withDriver).toMatchObject({
    GPU_NODE: 'true',
    CONFIG_GPU_DRIVER_IF_NEEDED: 'true',
    GPU_DRIVER_TYPE: 'cuda-lts',
  })
  expect(decoded(withDriver['CONTAINERD_CONFIG_CONTENT'])).toContain(
    'default_runtime_name = "nvidia-container-runtime"',
  )
  const without = exported(factsOf({ sizeName: 'Standard_NC4as_T4_v3' }))
  expect(without).toMatchObject({ GPU_NODE: 'false', GPU_DRIVER_VERSION: '' })
  expect(decoded(without['CONTAINERD_CONFIG_CONTENT'])).toContain('default_runtime_name = "runc"')
})

test.each([
  ['Standard_NC24lds_xl_RTXPRO6000BSE_v6', 'grid-v20'],
  ['Standard_NV36ads_A10_v5', 'grid'],
  ['Standard_NV36adms_A10_v5', 'grid'],
  ['Standard_NC8ads_A10_v4', 'grid'],
  ['Standard_NC6', 'cuda'],
  ['Standard_NC24ads_A100_v4', 'cuda-lts'],
])('the driver of %s is %s', (size, type) => {
  expect(chooseGpuDriver(size).type).toBe(type)
})
