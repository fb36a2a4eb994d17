import { NodeClassNotReadyError } from '@kerf/provider-contract'
import { formatMime, isMime, type MimePart, mimeHeader, mimePart, parseMime, SHELL_SCRIPT } from '@kerf/provider-kit'
import { Composer, Parser, stringify } from 'yaml'
import { type Bootstrap, labelFlag } from './bootstrap.ts'
import type { RenderedUserData } from './rendered-user-data.ts'

/** The content type of a NodeConfig, which `nodeadm` looks for. */
const NODE_CONFIG = 'application/node.eks.aws'

// YAML 1.1 output quotes strings that older parsers read as a boolean or a number, such as yes, on and 1:30.
const YAML_OF_GO = { version: '1.1', lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false } as const

const nodeConfig = ({ cluster, labels, taints, kubelet, settled, raid0 }: Bootstrap): string => {
  if (cluster.serviceCidr === undefined) {
    throw new NodeClassNotReadyError(
      `the service CIDR of cluster ${cluster.name} is unknown, and AL2023 nodes need it; allow eks:DescribeCluster`,
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
  return `# Joins the node to its cluster; created from the NodeClaim and its EC2NodeClass.\n${stringify(document, YAML_OF_GO)}`
}

/** Matches a text that looks like a NodeConfig, even if it is not valid YAML. */
const LOOKS_LIKE_CONFIG = /^(apiVersion:\s*["']?node\.eks\.aws\/|kind:\s*["']?NodeConfig)/m

/** Parses like upstream, which allows duplicate keys and uses the last one. */
const YAML_AS_UPSTREAM = { version: '1.1', uniqueKeys: false, logLevel: 'silent' } as const

/**
 * Returns true if upstream could convert the value to JSON. It cannot convert null, maps and lists as keys, or infinite numbers.
 */
const isJson = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  if (value instanceof Map) return [...value].every(([key, each]) => typeof key !== 'object' && isJson(each))
  return true
}

/**
 * Returns true if upstream treats the text as a NodeConfig, which means that its first document is a mapping or empty. Later
 * documents are not checked here, because nodeadm parses them.
 */
const isMapping = (text: string): boolean => {
  for (const document of new Composer(YAML_AS_UPSTREAM).compose(new Parser().parse(text), true, text.length)) {
    // A standard YAML tag that does not match its value is an error in upstream. A custom tag is not.
    const isMistagged = document.warnings.some(({ message }) => message.includes('tag:yaml.org,2002:'))
    if (document.errors.length > 0 || isMistagged) return false
    try {
      const value: unknown = document.toJS({ mapAsMap: true })
      return value === null || (value instanceof Map && isJson(value))
    } catch {
      // The parser throws if an alias has no anchor, or if a merged value is not a mapping.
      return false
    }
  }
  return true
}

/** Returns the part with its content type as the only header, because nodeadm uses only this header. */
const bare = (part: MimePart): MimePart =>
  mimePart(mimeHeader(part, 'Content-Type') ?? 'text/plain; charset="us-ascii"', part.body)

const customParts = (
  custom: string | undefined,
): { readonly parts: readonly MimePart[]; readonly remarks: string[] } => {
  if (custom === undefined || custom.trim() === '') return { parts: [], remarks: [] }
  if (isMime(custom)) {
    const { parts, remarks } = parseMime(custom)
    return { parts: parts.map(bare), remarks: [...remarks] }
  }
  if (isMapping(custom)) return { parts: [mimePart(NODE_CONFIG, custom)], remarks: [] }
  return {
    parts: [mimePart(SHELL_SCRIPT, custom)],
    remarks: LOOKS_LIKE_CONFIG.test(custom)
      ? ['spec.userData looks like a NodeConfig but is not valid YAML, so nodes run it as a shell script; correct it']
      : [],
  }
}

/**
 * Returns the user data of Amazon Linux 2023: a MIME document with the user's parts first, then the NodeConfig that joins the node
 * to the cluster. In nodeadm, later documents override earlier ones. As in upstream, custom data that is neither MIME nor YAML is
 * treated as a shell script.
 *
 * @throws UserDataError for MIME that cannot be parsed.
 *
 * @throws NodeClassNotReadyError while the service CIDR is unknown.
 */
export const amazonLinux2023UserData = (bootstrap: Bootstrap): RenderedUserData => {
  const { parts, remarks } = customParts(bootstrap.custom)
  return { text: formatMime([...parts, mimePart(NODE_CONFIG, nodeConfig(bootstrap))]), remarks }
}
