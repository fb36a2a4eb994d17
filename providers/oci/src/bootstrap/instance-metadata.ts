import { apiServerHost, type ClusterJoin } from './cluster-join.ts'
import { okeMime } from './community-user-data.ts'
import { oracleKubeletArgs } from './kubelet-args.ts'
import type { NodePlan } from './node-plan.ts'
import { oracleScript } from './oracle-script.ts'
import { ubuntuScript } from './ubuntu-script.ts'

type Texts = Readonly<Record<string, string>>

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const userDataOf = (plan: NodePlan, join: ClusterJoin): string => {
  const { bootstrap } = plan.nodeClass
  switch (bootstrap.form) {
    case 'oke-mime':
      return okeMime(plan, join, bootstrap.userData)
    case 'ubuntu':
      return ubuntuScript(plan, join, bootstrap)
    case 'custom':
      return bootstrap.userData ?? ''
    case 'oke-script':
      return oracleScript(plan, join, bootstrap)
  }
}

/**
 * Returns the metadata for an OciNodeClass. Such a class cannot replace the boot script. A controller setting determines how its pods get
 * addresses.
 */
const communityMetadata = (plan: NodePlan, join: ClusterJoin): Texts => ({
  ...plan.nodeClass.metadata,
  user_data: base64(userDataOf(plan, join)),
  ...(join.isVcnNative || plan.nodeClass.metadata['oke-native-pod-networking'] === 'true'
    ? {
        'oke-native-pod-networking': 'true',
        'oke-max-pods': `${plan.maxPods}`,
        'pod-subnets': plan.subnetId,
      }
    : {}),
})

/**
 * Returns the boot metadata for an OCINodeClass. If the class's metadata contains `user_data`, Kerf passes the install arguments in other
 * metadata items, from which this user data can read them.
 */
const oracleStart = (plan: NodePlan, join: ClusterJoin): Texts => {
  const { metadata, kubelet } = plan.nodeClass
  if ((metadata['user_data'] ?? '') === '') return { user_data: base64(userDataOf(plan, join)) }
  return {
    ...(kubelet.clusterDNS.length === 0 ? {} : { kubedns_svc_ip: kubelet.clusterDNS.join(',') }),
    'kubelet-extra-args': ` ${oracleKubeletArgs(plan).join(' ')}`,
    apiserver_host: apiServerHost(join),
    cluster_ca_cert: join.caBundle,
  }
}

const oracleMetadata = (plan: NodePlan, join: ClusterJoin): Texts => {
  const { metadata, kubelet, secondaryVnics, sshAuthorizedKeys } = plan.nodeClass
  const labels = Object.entries(kubelet.nodeLabels).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const hasPodVnics = secondaryVnics.length > 0
  return {
    ...metadata,
    ...oracleStart(plan, join),
    ...(labels.length === 0
      ? {}
      : { 'oke-initial-node-labels': labels.map(([key, value]) => `${key}=${value}`).join(',') }),
    'oke-preconfigured-vnics': `${hasPodVnics}`,
    ...(hasPodVnics ? { 'oke-max-pods': `${plan.maxPods}`, 'oke-native-pod-networking': 'true' } : {}),
    'oke-is-preemptible': `${plan.isPreemptible}`,
    ...(sshAuthorizedKeys.length === 0 ? {} : { ssh_authorized_keys: sshAuthorizedKeys.join('\n') }),
  }
}

/**
 * Returns the metadata with which an instance starts and joins the cluster (`providers/oci/docs/spec/oci.md`).
 *
 * @throws UserDataError and CreateError if the class contains invalid scripts
 */
export const instanceMetadata = (plan: NodePlan, join: ClusterJoin): Texts =>
  plan.nodeClass.upstream === 'community' ? communityMetadata(plan, join) : oracleMetadata(plan, join)
