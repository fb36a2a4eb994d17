import { NodeClassNotReadyError } from '@kerf/provider-contract'
import { parse, stringify } from 'yaml'
import { type Bootstrap, labelFlag } from './bootstrap.ts'
import { formatMime, headerOf, isMime, type MimePart, NODE_CONFIG, parseMime, partOf, SHELL_SCRIPT } from './mime.ts'
import { UserDataError } from './user-data-error.ts'

// Version 1.1 quotes what older readers take for a boolean or a number: yes, on, 1:30.
const YAML_OF_GO = { version: '1.1', lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false } as const

const nodeConfig = ({ cluster, labels, taints, kubelet, settled, raid0 }: Bootstrap): string => {
  if (cluster.serviceCidr === undefined) {
    throw new NodeClassNotReadyError(
      `the range of service addresses of cluster ${cluster.name} is not known, and AL2023 nodes need it; allow eks:DescribeCluster`,
    )
  }
  const { maxPods, clusterDNS, kubeReserved, systemReserved } = settled
  const config = {
    ...kubelet,
    maxPods,
    ...(clusterDNS === undefined ? {} : { clusterDNS }),
    ...(kubeReserved === undefined ? {} : { kubeReserved }),
    ...(systemReserved === undefined ? {} : { systemReserved }),
    registerWithTaints: taints.map(({ key, value, effect }) => ({
      key,
      ...(value === undefined || value === '' ? {} : { value }),
      effect,
    })),
  }
  const document = {
    apiVersion: 'node.eks.aws/v1alpha1',
    kind: 'NodeConfig',
    metadata: {},
    spec: {
      cluster: {
        apiServerEndpoint: cluster.endpoint,
        ...(cluster.caBundle === undefined ? {} : { certificateAuthority: cluster.caBundle }),
        cidr: cluster.serviceCidr,
        name: cluster.name,
      },
      containerd: {},
      instance: { localStorage: raid0 ? { strategy: 'RAID0' } : {} },
      kubelet: { config, ...(Object.keys(labels).length === 0 ? {} : { flags: [labelFlag(labels)] }) },
    },
  }
  return `# Joins the node to its cluster; made from the NodeClaim and its EC2NodeClass.\n${stringify(document, YAML_OF_GO)}`
}

/** Whether a text means to be a NodeConfig, also when it is not valid YAML. */
const LOOKS_LIKE_CONFIG = /^(apiVersion:\s*["']?node\.eks\.aws\/|kind:\s*["']?NodeConfig)/m

const isMapping = (text: string): boolean => {
  if (text.trimStart().startsWith('#!')) return false
  try {
    const value: unknown = parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch (error) {
    if (!LOOKS_LIKE_CONFIG.test(text)) return false
    throw new UserDataError(
      'YAML',
      error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error),
      'correct the NodeConfig, or begin a shell script with #!',
      { cause: error },
    )
  }
}

/** nodeadm looks at the content type only. */
const bare = (part: MimePart): MimePart =>
  partOf(headerOf(part, 'Content-Type') ?? 'text/plain; charset="us-ascii"', part.body)

const customParts = (custom: string | undefined): readonly MimePart[] => {
  if (custom === undefined || custom.trim() === '') return []
  if (isMime(custom)) return parseMime(custom).map(bare)
  return [partOf(isMapping(custom) ? NODE_CONFIG : SHELL_SCRIPT, custom)]
}

/**
 * User data of Amazon Linux 2023: a MIME document with the user's parts first, then the NodeConfig that joins the node;
 * nodeadm lets later documents win.
 *
 * @throws UserDataError for MIME or a NodeConfig that cannot be read.
 * @throws NodeClassNotReadyError while the range of service addresses is not known.
 */
export const amazonLinux2023UserData = (bootstrap: Bootstrap): string =>
  formatMime([...customParts(bootstrap.custom), partOf(NODE_CONFIG, nodeConfig(bootstrap))])
