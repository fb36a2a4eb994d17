import { UserDataError } from '@kerf/provider-kit'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import type { AmiFamily } from '../node-class/ami-family.ts'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { bootstrap, FULL_KUBELET, userDataText } from '../testing/bootstrap.ts'
import { bottlerocketVersion } from './bottlerocket.ts'
import { buildUserData } from './user-data.ts'

describe('Bottlerocket', () => {
  const parsedSettings = (...rest: Parameters<typeof userDataText> extends [AmiFamily, ...infer R] ? R : never) =>
    parseToml(userDataText('Bottlerocket', ...rest))

  test('all settings', () => {
    expect(userDataText('Bottlerocket', {}, FULL_KUBELET)).toMatchInlineSnapshot(`
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

  test('the user’s settings stay, labels are merged, taints are replaced, unknown settings are dropped', () => {
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
    const { base64, remarks } = buildUserData('Bottlerocket', bootstrap('Bottlerocket', { custom, raid0: true }))
    expect(remarks).toEqual([
      'Bottlerocket does not support settings.kubernetes.made-up, so it was removed; correct it',
    ])
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
    '%j is rejected with a remedy',
    (custom) => {
      expect(() => userDataText('Bottlerocket', { custom })).toThrow(UserDataError)
      expect(() => userDataText('Bottlerocket', { custom })).toThrow(/spec\.userData.*TOML.*; /)
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
    expect(JSON.stringify(parsedSettings(changes)).includes('--dirs')).toBe(named)
  })

  const classWithTerms = (
    terms: EC2NodeClassSpec['amiSelectorTerms'],
    names: Readonly<Record<string, string>> = {},
  ) => ({
    spec: { amiSelectorTerms: terms, subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
    status: { amis: Object.entries(names).map(([id, name]) => ({ id, name, requirements: [] })) },
  })
  test.each([
    ['alias', classWithTerms([{ alias: 'bottlerocket@v1.20.4' }]), 'v1.20.4'],
    ['latest', classWithTerms([{ alias: 'bottlerocket@latest' }]), 'latest'],
    ['name', classWithTerms([{ name: 'bottlerocket-aws-k8s-1.32-x86_64-v1.46.0-abc' }]), '1.46.0'],
    ['id', classWithTerms([{ id: 'ami-2' }], { 'ami-1': 'x-v1.1.0', 'ami-2': 'mine-v1.30.1-x' }), '1.30.1'],
    [
      'image',
      classWithTerms([{ tags: { a: 'b' } }], { 'ami-1': 'x-v1.1.0', 'ami-2': 'bottlerocket-v1.31.0' }),
      '1.31.0',
    ],
    ['nothing', classWithTerms([{ tags: { a: 'b' } }], { 'ami-1': 'x-v1.1.0' }), undefined],
  ])('the version comes from %s', (_, nodeClass, version) => {
    expect(bottlerocketVersion(nodeClass)).toBe(version)
  })
})
