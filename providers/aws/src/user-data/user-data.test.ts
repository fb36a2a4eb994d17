import { NodeClassNotReadyError } from '@kerf/provider-contract'
import { mimeHeader, parseMime, UserDataError } from '@kerf/provider-kit'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { bootstrap, FULL_KUBELET, userDataText } from '../testing/bootstrap.ts'
import { bootstrapLabels, bootstrapTaints } from './bootstrap.ts'
import { buildUserData } from './user-data.ts'

describe('labels and taints at registration', () => {
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

  test('the unregistered taint comes last, once', () => {
    const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const
    const own = { key: 'a', effect: 'NoSchedule' } as const
    expect(bootstrapTaints({ taints: [own] })).toEqual([own, unregistered])
    expect(bootstrapTaints({ taints: [unregistered], startupTaints: [own] })).toEqual([unregistered, own])
  })
})

describe('Amazon Linux 2', () => {
  test('a whole document', () => {
    expect(userDataText('AL2', { raid0: true, custom: 'echo hello\r\n' }, FULL_KUBELET)).toMatchInlineSnapshot(`
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

  test('IPv6, and no certificate authority', () => {
    const text = userDataText('AL2', { cluster: { name: "it's", endpoint: 'https://demo' } }, {}, 'fd00::a')
    expect(text).toContain("bootstrap.sh 'it'\\''s'")
    expect(text).toContain('--ip-family ipv6')
    expect(text).not.toContain('b64-cluster-ca')
    expect(text).toContain('--max-pods=58')
  })

  test('the user’s MIME parts come first, with all their headers', () => {
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
    const [first, second, ...rest] = parseMime(userDataText('AL2', { custom })).parts
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

  test('MIME that cannot be parsed is rejected, in both families', () => {
    const custom = 'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\n--a\n'
    for (const family of ['AL2', 'AL2023'] as const)
      expect(() => userDataText(family, { custom })).toThrow(UserDataError)
  })

  test('blank custom data counts as absent', () => {
    expect(userDataText('AL2', { custom: '  \n' })).toBe(userDataText('AL2'))
  })
})

describe('Amazon Linux 2023', () => {
  test('the NodeConfig', () => {
    const kubelet = { ...FULL_KUBELET, maxPods: 'vcpus * 10', shutdownGracePeriod: '30s', featureGates: { A: true } }
    const [part] = parseMime(userDataText('AL2023', { raid0: true }, kubelet)).parts
    expect(mimeHeader(part ?? { headers: [] }, 'content-type')).toBe('application/node.eks.aws')
    expect(part?.body).toMatchInlineSnapshot(`
      "# Joins the node to its cluster; created from the NodeClaim and its EC2NodeClass.
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

  test('empty objects are present, the certificate authority may be missing', () => {
    const [part] = parseMime(
      userDataText('AL2023', { labels: {}, cluster: { name: 'a', endpoint: 'https://b', serviceCidr: 'fd00::/108' } }),
    ).parts
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
    ['a script that is YAML', '#!/bin/sh\nPATH: x', 'application/node.eks.aws'],
    ['a script that is not YAML', 'if [ -f a ]; then\n\techo "b: c" : {\nfi', 'text/x-shellscript; charset="us-ascii"'],
  ])('the content type of %s is detected', (_, custom, contentType) => {
    const [first] = parseMime(userDataText('AL2023', { custom })).parts
    expect(first).toEqual({ headers: [['Content-Type', contentType]], body: custom })
  })

  test('of MIME parts, only the content type is kept', () => {
    const custom =
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nX-Mine: 1\nContent-Type: text/cloud-config\n\na: b\n--B--'
    const [first] = parseMime(userDataText('AL2023', { custom })).parts
    expect(first?.headers).toEqual([['Content-Type', 'text/cloud-config']])
  })

  test('a NodeConfig that is not valid YAML is a script, with a remark', () => {
    const custom = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {kubelet: ['
    expect(parseMime(userDataText('AL2023', { custom })).parts[0]?.headers).toEqual([
      ['Content-Type', 'text/x-shellscript; charset="us-ascii"'],
    ])
    expect(buildUserData('AL2023', bootstrap('AL2023', { custom })).remarks).toEqual([
      expect.stringMatching(/spec\.userData looks like a NodeConfig.*not valid YAML.*correct it/),
    ])
    expect(buildUserData('AL2023', bootstrap('AL2023', { custom: 'echo hello' })).remarks).toEqual([])
  })

  test('MIME without an opening boundary has no parts, with a remark', () => {
    const custom = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="A"\n\n--B\n\necho\n--B--'
    for (const family of ['AL2', 'AL2023'] as const)
      expect(buildUserData(family, bootstrap(family, { custom })).remarks).toEqual([
        expect.stringContaining('no line --A'),
      ])
  })

  test('without the service CIDR the node class is not ready', () => {
    expect(() => userDataText('AL2023', { cluster: { name: 'a', endpoint: 'b' } })).toThrow(NodeClassNotReadyError)
  })
})

describe('Windows', () => {
  test('one block, with the user’s commands first', () => {
    expect(userDataText('Windows2022', { custom: "Write-Host 'hi'", raid0: true })).toMatchInlineSnapshot(`
      "<powershell>
      Write-Host 'hi'
      [string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"
      & $EKSBootstrapScriptFile -EKSClusterName 'demo' -APIServerEndpoint 'https://demo' -Base64ClusterCA 'Q0E=' -KubeletExtraArgs '--node-labels="karpenter.sh/capacity-type=spot,karpenter.sh/do-not-sync-taints=true,team=a" --register-with-taints="gpu=yes:NoSchedule,net:NoExecute,karpenter.sh/unregistered:NoExecute" --max-pods=58' -DNSClusterIP '10.0.100.10'
      </powershell>"
    `)
  })

  test('the tags of a user’s own block are removed', () => {
    const custom = '<powershell>\nWrite-Host a\n</powershell>'
    expect(userDataText('Windows2025', { custom })).toBe(userDataText('Windows2025', { custom: 'Write-Host a' }))
  })
})

describe('Custom', () => {
  test('nothing is added or changed', () => {
    expect(userDataText('Custom', { custom: 'any\r\nthing' })).toBe('any\r\nthing')
    expect(buildUserData('Custom', bootstrap('Custom'))).toEqual({ bytes: 0, remarks: [] })
    expect(buildUserData('Custom', bootstrap('Custom', { custom: 'é' })).bytes).toBe(2)
  })
})
