import type { Taint } from '@kerf/apis'
import type { AKSNodeClassSpec } from '../node-class/aks-node-class.ts'
import { kubernetesMinor } from './kubernetes-minor.ts'
import { taintText } from './registered-taints.ts'

const AZURE_JSON = '/etc/kubernetes/azure.json'
const CERTIFICATES = '/etc/kubernetes/certs'
const CREDENTIAL_PROVIDER = '/var/lib/kubelet/credential-provider'
const CIPHERS = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
].join(',')

/** The kubelet flags of every AKS node (`providers/azure/docs/spec/azure.md#bootstrapping`). */
const ALWAYS: Readonly<Record<string, string>> = {
  '--address': '0.0.0.0',
  '--anonymous-auth': 'false',
  '--authentication-token-webhook': 'true',
  '--authorization-mode': 'Webhook',
  '--cgroups-per-qos': 'true',
  '--client-ca-file': `${CERTIFICATES}/ca.crt`,
  '--cloud-provider': 'external',
  '--cluster-domain': 'cluster.local',
  '--enforce-node-allocatable': 'pods',
  '--event-qps': '0',
  '--image-gc-high-threshold': '85',
  '--image-gc-low-threshold': '80',
  '--kubeconfig': '/var/lib/kubelet/kubeconfig',
  '--node-status-update-frequency': '10s',
  '--pod-manifest-path': '/etc/kubernetes/manifests',
  '--pod-max-pids': '-1',
  '--protect-kernel-defaults': 'true',
  '--read-only-port': '0',
  '--resolv-conf': '/run/systemd/resolve/resolv.conf',
  '--rotate-certificates': 'true',
  '--streaming-connection-idle-timeout': '4h',
  '--tls-cert-file': `${CERTIFICATES}/kubeletserver.crt`,
  '--tls-cipher-suites': CIPHERS,
  '--tls-private-key-file': `${CERTIFICATES}/kubeletserver.key`,
}

const ofVersion = (version: string): Readonly<Record<string, string>> => {
  const minor = kubernetesMinor(version)
  return {
    ...(minor < 31 ? { '--keep-terminated-pod-volumes': 'false' } : {}),
    ...(minor < 34 ? { '--cloud-config': AZURE_JSON } : {}),
    ...(minor < 35 ? { '--pod-infra-container-image': 'mcr.microsoft.com/oss/kubernetes/pause:3.6' } : {}),
    ...(minor >= 30
      ? {
          '--image-credential-provider-config': `${CREDENTIAL_PROVIDER}-config.yaml`,
          '--image-credential-provider-bin-dir': CREDENTIAL_PROVIDER,
        }
      : {
          '--feature-gates': 'DisableKubeletCloudCredentialProviders=false',
          '--azure-container-registry-config': AZURE_JSON,
        }),
  }
}

const flag = (name: string, value: string | number | boolean | undefined): Readonly<Record<string, string>> =>
  value === undefined || value === '' ? {} : { [name]: `${value}` }

const ofClass = (kubelet: AKSNodeClassSpec['kubelet'] = {}): Readonly<Record<string, string>> => ({
  ...flag('--image-gc-high-threshold', kubelet.imageGCHighThresholdPercent),
  ...flag('--image-gc-low-threshold', kubelet.imageGCLowThresholdPercent),
  ...flag('--cpu-cfs-quota', kubelet.cpuCFSQuota),
  ...flag('--cpu-manager-policy', kubelet.cpuManagerPolicy),
  ...flag('--topology-manager-policy', kubelet.topologyManagerPolicy),
  ...flag('--container-log-max-size', kubelet.containerLogMaxSize),
  ...flag('--container-log-max-files', kubelet.containerLogMaxFiles),
  ...flag('--pod-max-pids', kubelet.podPidsLimit),
  ...flag('--allowed-unsafe-sysctls', kubelet.allowedUnsafeSysctls?.join(',')),
})

export interface KubeletFacts {
  readonly kubernetesVersion: string
  readonly kubelet: AKSNodeClassSpec['kubelet']
  readonly maxPods: number
  readonly dnsServiceIP: string
  /** Quantities by resource. */
  readonly kubeReserved: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

/**
 * Returns the flags of a node's kubelet by name (`providers/azure/docs/spec/azure.md#bootstrapping`). The hard eviction thresholds
 * equal those that the computation of instance types uses.
 */
export const kubeletFlags = (facts: KubeletFacts): Readonly<Record<string, string>> => ({
  ...ALWAYS,
  ...ofVersion(facts.kubernetesVersion),
  ...flag('--register-with-taints', facts.taints.map(taintText).join(',')),
  '--eviction-hard': 'memory.available<750Mi',
  '--max-pods': `${facts.maxPods}`,
  '--cluster-dns': facts.dnsServiceIP,
  ...flag(
    '--kube-reserved',
    Object.entries(facts.kubeReserved)
      .map(([name, amount]) => `${name}=${amount}`)
      .join(','),
  ),
  ...ofClass(facts.kubelet),
})
