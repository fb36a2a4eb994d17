import { formatMime, isMime, mimePart, parseMime, SHELL_SCRIPT } from '@kerf/provider-kit'
import { type Bootstrap, kubeletFlags } from './bootstrap.ts'
import type { RenderedUserData } from './rendered-user-data.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the script. Values are separated from their options by a space, because bootstrap.sh does not parse an equals sign. */
const script = (bootstrap: Bootstrap): string => {
  const { cluster, settled, raid0 } = bootstrap
  const [dns] = settled.clusterDNS ?? []
  const options = [
    `--apiserver-endpoint ${quoted(cluster.endpoint)}`,
    ...(cluster.caBundle === undefined ? [] : [`--b64-cluster-ca ${quoted(cluster.caBundle)}`]),
    ...(dns?.includes(':') ? ['--ip-family ipv6'] : []),
    ...(dns === undefined ? [] : [`--dns-cluster-ip ${quoted(dns)}`]),
    // The user data always sets the number of pods, so the script must not compute it.
    '--use-max-pods false',
    `--kubelet-extra-args ${quoted(kubeletFlags(bootstrap).join(' '))}`,
    ...(raid0 ? ['--local-disks raid0'] : []),
  ]
  return [
    '#!/bin/bash -xe',
    'exec > >(tee /var/log/user-data.log | logger -t user-data -s 2>/dev/console) 2>&1',
    [`/etc/eks/bootstrap.sh ${quoted(cluster.name)}`, ...options].join(' \\\n  '),
    '',
  ].join('\n')
}

/**
 * Returns the user data of Amazon Linux 2: a MIME document that contains the user's parts, then the call of bootstrap.sh.
 *
 * @throws UserDataError for MIME that cannot be parsed.
 */
export const amazonLinux2UserData = (bootstrap: Bootstrap): RenderedUserData => {
  const { custom } = bootstrap
  const own = mimePart(SHELL_SCRIPT, script(bootstrap))
  if (custom === undefined || custom.trim() === '') return { text: formatMime([own]), remarks: [] }
  if (!isMime(custom)) return { text: formatMime([mimePart(SHELL_SCRIPT, custom), own]), remarks: [] }
  const { parts, remarks } = parseMime(custom)
  return { text: formatMime([...parts, own]), remarks }
}
