import type { AmiFamily } from '../node-class/ami-family.ts'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { setKubeletFields, settleKubelet } from '../node-class/kubelet-fields.ts'
import { type Bootstrap, bootstrapLabels, bootstrapTaints } from '../user-data/bootstrap.ts'
import { buildUserData } from '../user-data/user-data.ts'

/** Returns the bootstrap inputs of an instance of the family in a cluster named demo. */
export const bootstrap = (
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
  settled: settleKubelet(setKubeletFields(kubelet), { podCapacity: 58, clusterDNS }),
  raid0: false,
  ...changes,
})

/** Returns the decoded user data, as the instance reads it. */
export const userDataText = (
  family: AmiFamily,
  ...rest: Parameters<typeof bootstrap> extends [AmiFamily, ...infer R] ? R : never
) => Buffer.from(buildUserData(family, bootstrap(family, ...rest)).base64 ?? '', 'base64').toString()

/** All managed kubelet fields. */
export const FULL_KUBELET = {
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
