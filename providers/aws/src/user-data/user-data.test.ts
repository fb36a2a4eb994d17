import type { EC2NodeClassSpec } from '@kerf/apis'
import { NodeClassNotReadyError } from '@kerf/provider-contract'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { kubeletFieldsOf, settleKubelet } from '../kubelet/kubelet-fields.ts'
import type { AmiFamily } from '../node-class/ami-family.ts'
import { type Bootstrap, bootstrapLabels, bootstrapTaints } from './bootstrap.ts'
import { bottlerocketVersionOf } from './bottlerocket.ts'
import { formatMime, headerOf, parseMime } from './mime.ts'
import { userDataOf } from './user-data.ts'
import { UserDataError } from './user-data-error.ts'

const bootstrap = (
  family: AmiFamily,
  changes: Partial<Bootstrap> = {},
  kubelet: EC2NodeClassSpec['kubelet'] = {},
  clusterDNS = '10.0.100.10',
): Bootstrap => ({
  cluster: { name: 'demo', endpoint: 'https://demo', caBundle: 'Q0E=', serviceCidr: '10.100.0.0/16' },
  labels: bootstrapLabels({ team: 'a', 'kubernetes.io/arch': 'amd64' }, 'spot', family),
  taints: bootstrapTaints({
    taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'net', effect: 'NoExecute' }],
  }),
  kubelet,
  settled: settleKubelet(kubeletFieldsOf(kubelet), { podCapacity: 58, clusterDNS }),
  raid0: false,
  ...changes,
})

const textOf = (family: AmiFamily, ...rest: Parameters<typeof bootstrap> extends [AmiFamily, ...infer R] ? R : never) =>
  Buffer.from(userDataOf(family, bootstrap(family, ...rest)).base64 ?? '', 'base64').toString()

const FULL_KUBELET = {
  clusterDNS: ['10.9.9.9'],
  maxPods: 20,
  podsPerCore: 4,
  systemReserved: { memory: '200Mi', cpu: '100m' },
  kubeReserved: { cpu: '50m', memory: '1 + vcpus' },
  evictionHard: { 'memory.available': '5%' },
  evictionSoft: { 'memory.available': '10%' },
  evictionSoftGracePeriod: { 'memory.available': '1m' },
  evictionMaxPodGracePeriod: 30,
  imageGCHighThresholdPercent: 80,
  imageGCLowThresholdPercent: 60,
  cpuCFSQuota: false,
}

describe('labels and taints of the start', () => {
  test('labels that a kubelet may not set on its node are left out', () => {
    const given = {
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': 'a',
      'k8s.io/a': 'b',
      'x.k8s.io/a': 'b',
      'node-restriction.kubernetes.io/a': 'b',
      'notk8s.io/a': 'kept',
      team: 'a',
    }
    expect(bootstrapLabels(given, 'on-demand', 'AL2')).toEqual({
      'notk8s.io/a': 'kept',
      team: 'a',
      'karpenter.sh/capacity-type': 'on-demand',
      'karpenter.sh/do-not-sync-taints': 'true',
    })
    expect(bootstrapLabels({}, 'spot', 'Custom')).toEqual({ 'karpenter.sh/capacity-type': 'spot' })
  })

  test('the taint of the unregistered comes last, once', () => {
    const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const
    const own = { key: 'a', effect: 'NoSchedule' } as const
    expect(bootstrapTaints({ taints: [own] })).toEqual([own, unregistered])
    expect(bootstrapTaints({ taints: [unregistered], startupTaints: [own] })).toEqual([unregistered, own])
  })
})

describe('Amazon Linux 2', () => {
  test('a whole document', () => {
    expect(textOf('AL2', { raid0: true, custom: 'echo hello\r\n' }, FULL_KUBELET)).toMatchInlineSnapshot(`
      "MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary="//"

      --//
      Content-Type: text/x-shellscript; charset="us-ascii"

      echo hello

      --//
      Content-Type: text/x-shellscript; charset="us-ascii"

      #!/bin/bash -xe
      exec > >(tee /var/log/user-data.log | logger -t user-data -s 2>/dev/console) 2>&1
      /etc/eks/bootstrap.sh 'demo' \\
        --apiserver-endpoint 'https://demo' \\
        --b64-cluster-ca 'Q0E=' \\
        --dns-cluster-ip '10.9.9.9' \\
        --use-max-pods false \\
        --kubelet-extra-args '--node-labels="karpenter.sh/capacity-type=spot,karpenter.sh/do-not-sync-taints=true,team=a" --register-with-taints="gpu=yes:NoSchedule,net:NoExecute,karpenter.sh/unregistered:NoExecute" --max-pods=20 --pods-per-core=4 --system-reserved="cpu=100m,memory=200Mi" --kube-reserved="cpu=50m" --eviction-hard="memory.available<5%" --eviction-soft="memory.available<10%" --eviction-soft-grace-period="memory.available=1m" --eviction-max-pod-grace-period=30 --image-gc-high-threshold=80 --image-gc-low-threshold=60 --cpu-cfs-quota=false' \\
        --local-disks raid0

      --//--
      "
    `)
  })

  test('IPv6, and no certificate', () => {
    const text = textOf('AL2', { cluster: { name: "it's", endpoint: 'https://demo' } }, {}, 'fd00::a')
    expect(text).toContain("bootstrap.sh 'it'\\''s'")
    expect(text).toContain('--ip-family ipv6')
    expect(text).not.toContain('b64-cluster-ca')
    expect(text).toContain('--max-pods=58')
  })

  test('MIME parts of the user come first, with all their headers', () => {
    const custom = [
      'Content-Type: multipart/mixed;',
      '  boundary="BOUND"',
      'MIME-Version: 1.0',
      '',
      'a preamble nobody reads',
      '--BOUND',
      'Content-Type: text/cloud-config; charset="us-ascii"',
      'Content-Transfer-Encoding: 7bit',
      '',
      'packages: [jq]',
      '--BOUND--',
      'an epilogue',
    ].join('\r\n')
    const [first, second, ...rest] = parseMime(textOf('AL2', { custom }))
    expect(rest).toEqual([])
    expect(first).toEqual({
      headers: [
        ['Content-Type', 'text/cloud-config; charset="us-ascii"'],
        ['Content-Transfer-Encoding', '7bit'],
      ],
      body: 'packages: [jq]',
    })
    expect(second?.body).toContain('bootstrap.sh')
  })

  test.each([
    ['a header without colon', 'MIME-Version: 1.0\nContent-Type multipart/mixed\n\n'],
    ['no boundary', 'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\n--a\n'],
    ['no content type', 'MIME-Version: 1.0\n\n--//\n\necho\n--//--'],
    ['another content type', 'Content-Type: text/plain\n\necho'],
    ['no end', 'Content-Type: multipart/mixed; boundary=a\n\n--a\n\necho'],
  ])('MIME with %s is refused with a remedy', (_, custom) => {
    for (const family of ['AL2', 'AL2023'] as const) {
      expect(() => textOf(family, { custom })).toThrow(UserDataError)
      expect(() => textOf(family, { custom })).toThrow(/spec\.userData.*MIME.*; write /)
    }
  })

  test('a boundary that a part contains is not used', () => {
    const parts = [{ headers: [['Content-Type', 'text/plain']], body: 'a\n--//\nb\n--//1--' }] as const
    const text = formatMime(parts)
    expect(text).toContain('boundary="//2"')
    expect(parseMime(text)).toEqual(parts)
  })

  test('blank custom data counts as none', () => {
    expect(textOf('AL2', { custom: '  \n' })).toBe(textOf('AL2'))
  })
})

describe('Amazon Linux 2023', () => {
  test('the NodeConfig', () => {
    const kubelet = { ...FULL_KUBELET, maxPods: 'vcpus * 10', shutdownGracePeriod: '30s', featureGates: { A: true } }
    const [part] = parseMime(textOf('AL2023', { raid0: true }, kubelet))
    expect(headerOf(part ?? { headers: [] }, 'content-type')).toBe('application/node.eks.aws')
    expect(part?.body).toMatchInlineSnapshot(`
      "# Joins the node to its cluster; made from the NodeClaim and its EC2NodeClass.
      apiVersion: node.eks.aws/v1alpha1
      kind: NodeConfig
      metadata: {}
      spec:
        cluster:
          apiServerEndpoint: https://demo
          certificateAuthority: Q0E=
          cidr: 10.100.0.0/16
          name: demo
        containerd: {}
        instance:
          localStorage:
            strategy: RAID0
        kubelet:
          config:
            clusterDNS:
              - 10.9.9.9
            cpuCFSQuota: false
            evictionHard:
              memory.available: 5%
            evictionMaxPodGracePeriod: 30
            evictionSoft:
              memory.available: 10%
            evictionSoftGracePeriod:
              memory.available: 1m
            featureGates:
              A: true
            imageGCHighThresholdPercent: 80
            imageGCLowThresholdPercent: 60
            kubeReserved:
              cpu: 50m
            maxPods: 58
            podsPerCore: 4
            registerWithTaints:
              - effect: NoSchedule
                key: gpu
                value: "yes"
              - effect: NoExecute
                key: net
              - effect: NoExecute
                key: karpenter.sh/unregistered
            shutdownGracePeriod: 30s
            systemReserved:
              cpu: 100m
              memory: 200Mi
          flags:
            - --node-labels="karpenter.sh/capacity-type=spot,karpenter.sh/do-not-sync-taints=true,team=a"
      "
    `)
  })

  test('empty objects are there, the certificate may be missing', () => {
    const [part] = parseMime(
      textOf('AL2023', { labels: {}, cluster: { name: 'a', endpoint: 'https://b', serviceCidr: 'fd00::/108' } }),
    )
    expect(parseYaml(part?.body ?? '')).toMatchObject({
      metadata: {},
      spec: { cluster: { cidr: 'fd00::/108' }, containerd: {}, instance: { localStorage: {} } },
    })
    expect(part?.body).not.toContain('flags')
    expect(part?.body).not.toContain('certificateAuthority')
  })

  test.each([
    ['a NodeConfig', 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {}', 'application/node.eks.aws'],
    ['a script', 'echo hello', 'text/x-shellscript; charset="us-ascii"'],
    ['a script that could be YAML', '#!/bin/sh\nPATH: x', 'text/x-shellscript; charset="us-ascii"'],
    ['a script that is no YAML', 'if [ -f a ]; then\n\techo "b: c" : {\nfi', 'text/x-shellscript; charset="us-ascii"'],
  ])('%s is taken for what it is', (_, custom, contentType) => {
    const [first] = parseMime(textOf('AL2023', { custom }))
    expect(first).toEqual({ headers: [['Content-Type', contentType]], body: custom })
  })

  test('of MIME parts only the content type stays', () => {
    const custom =
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nX-Mine: 1\nContent-Type: text/cloud-config\n\na: b\n--B--'
    const [first] = parseMime(textOf('AL2023', { custom }))
    expect(first?.headers).toEqual([['Content-Type', 'text/cloud-config']])
  })

  test('a NodeConfig that is no YAML is refused with a remedy', () => {
    const custom = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {kubelet: ['
    expect(() => textOf('AL2023', { custom })).toThrow(/spec\.userData.*YAML.*; correct the NodeConfig/)
  })

  test('without the range of service addresses the node class is not ready', () => {
    expect(() => textOf('AL2023', { cluster: { name: 'a', endpoint: 'b' } })).toThrow(NodeClassNotReadyError)
  })
})

describe('Bottlerocket', () => {
  const settingsOf = (...rest: Parameters<typeof textOf> extends [AmiFamily, ...infer R] ? R : never) =>
    parseToml(textOf('Bottlerocket', ...rest))

  test('all settings', () => {
    expect(textOf('Bottlerocket', {}, FULL_KUBELET)).toMatchInlineSnapshot(`
      "[settings.kubernetes]
      cluster-name = "demo"
      api-server = "https://demo"
      cluster-certificate = "Q0E="
      max-pods = 20
      cluster-dns-ip = "10.9.9.9"
      eviction-max-pod-grace-period = 30
      image-gc-high-threshold-percent = "80"
      image-gc-low-threshold-percent = "60"
      cpu-cfs-quota-enforced = false

      [settings.kubernetes.system-reserved]
      cpu = "100m"
      memory = "200Mi"

      [settings.kubernetes.kube-reserved]
      cpu = "50m"

      [settings.kubernetes.eviction-hard]
      "memory.available" = "5%"

      [settings.kubernetes.eviction-soft]
      "memory.available" = "10%"

      [settings.kubernetes.eviction-soft-grace-period]
      "memory.available" = "1m"

      [settings.kubernetes.node-labels]
      "karpenter.sh/capacity-type" = "spot"
      "karpenter.sh/do-not-sync-taints" = "true"
      team = "a"

      [settings.kubernetes.node-taints]
      gpu = [ "yes:NoSchedule" ]
      "karpenter.sh/unregistered" = [ ":NoExecute" ]
      net = [ ":NoExecute" ]
      "
    `)
  })

  test('the user’s settings stay, labels are merged, taints replaced, unknown ones dropped', () => {
    const custom = `
      [settings.host-containers.admin]
      enabled = true
      [settings.kubernetes]
      cluster-name = "mine"
      log-level = 4
      made-up = true
      cpu-manager-policy = "static"
      [settings.kubernetes.node-labels]
      team = "mine"
      own = "kept"
      [settings.kubernetes.node-taints]
      old = ["x:NoSchedule"]
      [settings.kubernetes.memory-manager-reserved-memory.0]
      enabled = true
      memory = "1Gi"
      [settings.bootstrap-commands.mine]
      commands = [["apiclient", "set"]]
      mode = "once"
    `
    const { base64, dropped } = userDataOf('Bottlerocket', bootstrap('Bottlerocket', { custom, raid0: true }))
    expect(dropped).toEqual(['made-up'])
    const { settings } = parseToml(Buffer.from(base64 ?? '', 'base64').toString())
    expect(settings).toMatchObject({
      'host-containers': { admin: { enabled: true } },
      kubernetes: {
        'cluster-name': 'demo',
        'log-level': 4,
        'cpu-manager-policy': 'static',
        'node-labels': { team: 'a', own: 'kept', 'karpenter.sh/capacity-type': 'spot' },
        'node-taints': {
          gpu: ['yes:NoSchedule'],
          net: [':NoExecute'],
          'karpenter.sh/unregistered': [':NoExecute'],
        },
        'memory-manager-reserved-memory': { '0': { enabled: true, memory: '1Gi' } },
      },
      'bootstrap-commands': { mine: { mode: 'once' }, '000-mount-instance-storage': { mode: 'always' } },
    })
    expect(JSON.stringify(settings)).not.toMatch(/made-up|"old"/)
  })

  test.each(['settings = ', '#!/bin/bash\necho', '[settings\n', 'settings = 3', '[settings]\nkubernetes = 1'])(
    '%j is refused with a remedy',
    (custom) => {
      expect(() => textOf('Bottlerocket', { custom })).toThrow(UserDataError)
      expect(() => textOf('Bottlerocket', { custom })).toThrow(/spec\.userData.*TOML.*; /)
    },
  )

  test.each([
    ['1.45.0', true],
    ['1.46.0', false],
    ['v1.46.0', false],
    ['1.47.0', false],
    ['2.0.0', false],
    ['1.9.0', true],
    ['1.46', false],
    ['latest', false],
    ['1', true],
    ['', true],
    ['abc', true],
    [undefined, true],
  ])('version %s: directories named %s', (imageVersion, named) => {
    const changes = imageVersion === undefined ? { raid0: true } : { raid0: true, imageVersion }
    expect(JSON.stringify(settingsOf(changes)).includes('--dirs')).toBe(named)
  })

  const classOf = (terms: EC2NodeClassSpec['amiSelectorTerms'], names: Readonly<Record<string, string>> = {}) => ({
    spec: { amiSelectorTerms: terms, subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
    status: { amis: Object.entries(names).map(([id, name]) => ({ id, name, requirements: [] })) },
  })
  test.each([
    ['alias', classOf([{ alias: 'bottlerocket@v1.20.4' }]), 'v1.20.4'],
    ['latest', classOf([{ alias: 'bottlerocket@latest' }]), 'latest'],
    ['name', classOf([{ name: 'bottlerocket-aws-k8s-1.32-x86_64-v1.46.0-abc' }]), '1.46.0'],
    ['id', classOf([{ id: 'ami-2' }], { 'ami-1': 'x-v1.1.0', 'ami-2': 'mine-v1.30.1-x' }), '1.30.1'],
    ['image', classOf([{ tags: { a: 'b' } }], { 'ami-1': 'x-v1.1.0', 'ami-2': 'bottlerocket-v1.31.0' }), '1.31.0'],
    ['nothing', classOf([{ tags: { a: 'b' } }], { 'ami-1': 'x-v1.1.0' }), undefined],
  ])('the version is known by %s', (_, nodeClass, version) => {
    expect(bottlerocketVersionOf(nodeClass)).toBe(version)
  })
})

describe('Windows', () => {
  test('one block, the user’s commands first', () => {
    expect(textOf('Windows2022', { custom: "Write-Host 'hi'", raid0: true })).toMatchInlineSnapshot(`
      "<powershell>
      Write-Host 'hi'
      [string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"
      & $EKSBootstrapScriptFile -EKSClusterName 'demo' -APIServerEndpoint 'https://demo' -Base64ClusterCA 'Q0E=' -KubeletExtraArgs '--node-labels="karpenter.sh/capacity-type=spot,karpenter.sh/do-not-sync-taints=true,team=a" --register-with-taints="gpu=yes:NoSchedule,net:NoExecute,karpenter.sh/unregistered:NoExecute" --max-pods=58' -DNSClusterIP '10.0.100.10'
      </powershell>"
    `)
  })

  test('a block of the user’s own is opened', () => {
    const custom = '<powershell>\nWrite-Host a\n</powershell>'
    expect(textOf('Windows2025', { custom })).toBe(textOf('Windows2025', { custom: 'Write-Host a' }))
  })
})

describe('Custom', () => {
  test('nothing is added or changed', () => {
    expect(textOf('Custom', { custom: 'any\r\nthing' })).toBe('any\r\nthing')
    expect(userDataOf('Custom', bootstrap('Custom'))).toEqual({ bytes: 0, dropped: [] })
    expect(userDataOf('Custom', bootstrap('Custom', { custom: 'é' })).bytes).toBe(2)
  })
})
