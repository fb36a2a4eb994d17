import { type Bootstrap, kubeletFlags } from './bootstrap.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The script without tags of its own: EC2 does not take one block inside another. */
const bare = (custom: string): string =>
  /^\s*<powershell>([\s\S]*?)<\/powershell>\s*$/i.exec(custom)?.[1]?.trim() ?? custom

/** User data of Windows: one PowerShell block, the user's commands first. Instance store is left alone. */
export const windowsUserData = (bootstrap: Bootstrap): string => {
  const { cluster, settled, custom } = bootstrap
  const [dns] = settled.clusterDNS ?? []
  const call = [
    '& $EKSBootstrapScriptFile',
    `-EKSClusterName ${quoted(cluster.name)}`,
    `-APIServerEndpoint ${quoted(cluster.endpoint)}`,
    ...(cluster.caBundle === undefined ? [] : [`-Base64ClusterCA ${quoted(cluster.caBundle)}`]),
    `-KubeletExtraArgs ${quoted(kubeletFlags(bootstrap).join(' '))}`,
    ...(dns === undefined ? [] : [`-DNSClusterIP ${quoted(dns)}`]),
  ]
  return [
    '<powershell>',
    ...(custom === undefined || custom === '' ? [] : [bare(custom)]),
    '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
    call.join(' '),
    '</powershell>',
  ].join('\n')
}
