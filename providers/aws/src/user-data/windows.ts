import { type Bootstrap, kubeletFlags } from './bootstrap.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Returns the script without its own tags, because EC2 does not accept nested blocks. */
const bare = (custom: string): string =>
  /^\s*<powershell>([\s\S]*?)<\/powershell>\s*$/i.exec(custom)?.[1]?.trim() ?? custom

/** Returns the user data of Windows: one PowerShell block with the user's commands first. Instance store is not configured. */
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
