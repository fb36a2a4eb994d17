import { expect, test } from 'vitest'
import { toKubeletConfig, toLinuxOsConfig, toLocalDns } from './machine-class.ts'
import { machineLabels } from './node-labels.ts'

test('kubelet settings have AKS’s names and units', () => {
  expect(
    toKubeletConfig({
      ...{ cpuManagerPolicy: 'static', cpuCFSQuota: false, cpuCFSQuotaPeriod: '50ms', containerLogMaxSize: '2Gi' },
      ...{
        imageGCHighThresholdPercent: 90,
        imageGCLowThresholdPercent: 80,
        failSwapOn: false,
        containerLogMaxFiles: 3,
      },
      podPidsLimit: 9_999_999_999,
    }),
  ).toEqual({
    ...{ cpuManagerPolicy: 'static', cpuCfsQuota: false, cpuCfsQuotaPeriod: '50ms', containerLogMaxSizeMB: 2048 },
    ...{ imageGcHighThreshold: 90, imageGcLowThreshold: 80, failSwapOn: false, containerLogMaxFiles: 3 },
    podMaxPids: 2_147_483_647,
  })
  expect(toKubeletConfig({ podPidsLimit: -5 })).toEqual({ podMaxPids: -1 })
})

test('sysctls have AKS’s names, one of which is irregular', () => {
  const sysctls = { netIPv4TCPKeepaliveIntvl: 30, netIPv4TCPTwReuse: true, netIPv4IPLocalPortRange: '32768 60999' }
  expect(toLinuxOsConfig({ swapFileSize: '1500Mi', sysctls: { ...sysctls, vmSwappiness: 10 } })).toEqual({
    swapFileSizeMB: 1500,
    sysctls: {
      ...{ netIpv4TcpkeepaliveIntvl: 30, netIpv4TcpTwReuse: true, netIpv4IpLocalPortRange: '32768 60999' },
      vmSwappiness: 10,
    },
  })
})

test('AKS gets an explicit LocalDNS mode, and never decides it', () => {
  const entry = {
    zone: '.',
    queryLogging: 'Error',
    protocol: 'PreferUDP',
    forwardDestination: 'VnetDNS',
    forwardPolicy: 'Random',
    ...{ maxConcurrent: 10, cacheDuration: '1h', serveStaleDuration: '90s' },
    serveStale: 'Immediate',
  } as const
  const spec = { localDNS: { mode: 'Preferred' as const, vnetDNSOverrides: [entry], kubeDNSOverrides: [] } }
  expect(toLocalDns({ spec, status: { localDNSState: 'Disabled' } })?.mode).toBe('Disabled')
  const sent = toLocalDns({ spec, status: { localDNSState: 'Enabled' } })
  expect(sent?.mode).toBe('Required')
  expect(sent?.vnetDNSOverrides?.['.']).toEqual({
    ...{ queryLogging: 'Error', protocol: 'PreferUDP', forwardDestination: 'VnetDNS', forwardPolicy: 'Random' },
    ...{ maxConcurrent: 10, cacheDurationInSeconds: 3600, serveStaleDurationInSeconds: 90, serveStale: 'Immediate' },
  })
})

test('labels that AKS or the kubelet sets are not requested', () => {
  const own = { team: 'a', 'karpenter.sh/nodepool': 'default' }
  const others = { 'kubernetes.azure.com/mode': 'user', 'x.kubernetes.azure.com/y': '1', agentpool: 'p' }
  expect(machineLabels({ ...own, ...others, 'kubernetes.io/arch': 'amd64' })).toEqual(own)
})
