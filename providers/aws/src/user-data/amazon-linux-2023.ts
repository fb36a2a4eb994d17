import { NodeClassNotReadyError } from '@kerf/provider-contract'
import { formatMime, headerOf, isMime, type MimePart, parseMime, partOf, SHELL_SCRIPT } from '@kerf/provider-kit'
import { Composer, Parser, stringify } from 'yaml'
import { type Bootstrap, labelFlag } from './bootstrap.ts'
import type { RenderedUserData } from './rendered-user-data.ts'

/** The content type of a NodeConfig, which `nodeadm` looks for. */
const NODE_CONFIG = 'application/node.eks.aws'

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

/** As upstream reads it: doubled keys are let through, because the last one counts. */
const YAML_AS_UPSTREAM = { version: '1.1', uniqueKeys: false, logLevel: 'silent' } as const

/** What no object of JSON can hold, and upstream makes JSON of it: null, maps and lists as keys, numbers that are none. */
const isJson = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  if (value instanceof Map) return [...value].every(([key, each]) => typeof key !== 'object' && isJson(each))
  return true
}

/**
 * Whether upstream takes the text for a NodeConfig: its first document is a mapping, or nothing at all. The documents
 * after it are not looked at; nodeadm reads them.
 */
const isMapping = (text: string): boolean => {
  for (const document of new Composer(YAML_AS_UPSTREAM).compose(new Parser().parse(text), true, text.length)) {
    // A tag of YAML's own that does not fit its value is an error to upstream, a tag of somebody else's is not.
    const isMistagged = document.warnings.some(({ message }) => message.includes('tag:yaml.org,2002:'))
    if (document.errors.length > 0 || isMistagged) return false
    try {
      const value: unknown = document.toJS({ mapAsMap: true })
      return value === null || (value instanceof Map && isJson(value))
    } catch {
      // An alias without its anchor, or a merge of what is no mapping.
      return false
    }
  }
  return true
}

/** nodeadm looks at the content type only. */
const bare = (part: MimePart): MimePart =>
  partOf(headerOf(part, 'Content-Type') ?? 'text/plain; charset="us-ascii"', part.body)

const customParts = (
  custom: string | undefined,
): { readonly parts: readonly MimePart[]; readonly remarks: string[] } => {
  if (custom === undefined || custom.trim() === '') return { parts: [], remarks: [] }
  if (isMime(custom)) {
    const { parts, remarks } = parseMime(custom)
    return { parts: parts.map(bare), remarks: [...remarks] }
  }
  if (isMapping(custom)) return { parts: [partOf(NODE_CONFIG, custom)], remarks: [] }
  return {
    parts: [partOf(SHELL_SCRIPT, custom)],
    remarks: LOOKS_LIKE_CONFIG.test(custom)
      ? ['spec.userData looks like a NodeConfig, but is not valid YAML, so nodes run it as a shell script; correct it']
      : [],
  }
}

/**
 * User data of Amazon Linux 2023: a MIME document with the user's parts first, then the NodeConfig that joins the node;
 * nodeadm lets later documents win. What is neither MIME nor YAML is a shell script, as upstream has it.
 *
 * @throws UserDataError for MIME that cannot be read.
 * @throws NodeClassNotReadyError while the range of service addresses is not known.
 */
export const amazonLinux2023UserData = (bootstrap: Bootstrap): RenderedUserData => {
  const { parts, remarks } = customParts(bootstrap.custom)
  return { text: formatMime([...parts, partOf(NODE_CONFIG, nodeConfig(bootstrap))]), remarks }
}
