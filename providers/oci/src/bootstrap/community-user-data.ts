import { formatMime, isMime, type MimePart, mimePart, parseMime, SHELL_SCRIPT } from '@kerf/provider-kit'
import { apiServerHost, type ClusterJoin } from './cluster-join.ts'
import { communityKubeletArgs } from './kubelet-args.ts'
import type { NodePlan } from './node-plan.ts'

/** Returns the command that runs an install script, with the arguments that the scripts of OKE and of self-managed nodes have in common. */
export const installCommand = (script: string, plan: NodePlan, join: ClusterJoin): string => {
  const [dns = join.dns] = plan.nodeClass.kubelet.clusterDNS
  return [
    `bash ${script} --apiserver-endpoint '${apiServerHost(join)}' --kubelet-ca-cert '${join.caBundle}'`,
    `--kubelet-extra-args '${communityKubeletArgs(plan).join(' ')}'`,
    ...(dns === '' ? [] : [`--cluster-dns '${dns}'`]),
  ].join(' \\\n')
}

const userParts = (userData: string | undefined): readonly MimePart[] => {
  if (userData === undefined || userData === '') return []
  return isMime(userData) ? parseMime(userData).parts : [mimePart(SHELL_SCRIPT, userData)]
}

/**
 * Returns the user data of an OKE image: a MIME document with the class's user data, followed by OKE's install script
 * (`providers/oci/docs/spec/oci.md`).
 *
 * @throws UserDataError if the class's user data is an invalid MIME document
 */
export const okeMime = (plan: NodePlan, join: ClusterJoin, userData: string | undefined): string => {
  const script = `#!/bin/bash -xe\n${installCommand('/etc/oke/oke-install.sh', plan, join)}`
  return formatMime([...userParts(userData), mimePart(SHELL_SCRIPT, script)])
}
