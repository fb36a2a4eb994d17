import { type NodeClaim, type Taint, taints as wellKnownTaints } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import { formatMime, isMime, type MimePart, mimeHeader, mimePart, parseMime, SHELL_SCRIPT } from '@kerf/provider-kit'

/** The maximum length of user data in ECS. The limit applies to the text before base64 encoding. */
const MOST_BYTES = 16 * 1024

export interface NodeBootstrap {
  /** The script that joins the instance to the ACK cluster. It contains a token. */
  readonly attachScript: string
  readonly clusterId: string
  /** The container runtime of the node pool that the script belongs to. */
  readonly runtime?: { readonly name: string; readonly version: string }
  /** Labels of the node. */
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  /** Fields of the kubelet configuration. */
  readonly kubelet: Readonly<Record<string, unknown>>
  /** The user data from the node class. */
  readonly userData?: string
}

const taintText = ({ key, value, effect }: Taint): string =>
  value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`

/** Returns the taints of a new node: those of the NodeClaim, and the unregistered taint, which Kerf removes when it registers the node. */
export const nodeTaints = ({ spec }: Pick<NodeClaim, 'spec'>): readonly Taint[] => {
  const own = [...(spec.taints ?? []), ...(spec.startupTaints ?? [])]
  const { key, effect } = wellKnownTaints.unregistered
  return own.some((taint) => taint.key === key && taint.effect === effect) ? own : [...own, { key, effect }]
}

const withRuntime = (script: string, runtime: NodeBootstrap['runtime']): string =>
  runtime === undefined
    ? script
    : script.replace(
        / --runtime \S+ --runtime-version \S+/,
        () => ` --runtime ${runtime.name} --runtime-version ${runtime.version}`,
      )

/** Adds labels to the script's `--labels` option if it has one, because it is unclear which of two `--labels` options would apply. */
const withLabels = (script: string, labels: string): string => {
  const present = / --labels (\S+)/.exec(script)
  return present === null
    ? `${script} --labels ${labels}`
    : script.replace(present[0], () => ` --labels ${present[1]},${labels}`)
}

const script = ({ attachScript, clusterId, runtime, labels, taints, kubelet }: NodeBootstrap): string => {
  const pairs = Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
  const config = Buffer.from(JSON.stringify({ kubelet_config: kubelet })).toString('base64')
  const plain = withRuntime(attachScript.replaceAll(/[\r\n]/g, ''), runtime)
  const labelled = withLabels(plain, ['k8s.aliyun.com=true', `ack.aliyun.com=${clusterId}`, ...pairs].join())
  const options = ` --node-config ${config} --taints ${taints.map(taintText).join()}`
  return `#!/bin/bash\n\n${labelled}${options}\n\n`
}

/** Returns the content type of user data that is not a MIME document: cloud-config or a shell script. */
const contentType = (text: string): string =>
  text.startsWith('#cloud-config') ? 'text/cloud-config; charset="us-ascii"' : SHELL_SCRIPT

const isEarly = (part: MimePart): boolean =>
  /^text\/x-shellscript;.*stage="?pre"?/i.test(mimeHeader(part, 'Content-Type') ?? '')

/**
 * Returns the user data of a node of an ACK cluster, in base64 (`providers/alibaba/docs/spec/alibaba.md#bootstrap`): a MIME document with
 * the script of ACK and the user's parts. Parts with `stage="pre"` come first.
 *
 * @throws UserDataError if the user's MIME document is invalid; CreateError if the result is longer than ECS accepts
 */
export const ackUserData = (node: NodeBootstrap): string => {
  const { userData = '' } = node
  const own =
    userData === '' ? [] : isMime(userData) ? parseMime(userData).parts : [mimePart(contentType(userData), userData)]
  const early = own.filter(isEarly)
  const late = own.filter((part) => !isEarly(part))
  return encoded(formatMime([...early, mimePart(SHELL_SCRIPT, script(node)), ...late]))
}

/** Returns the node class's user data unchanged, in base64, for a cluster that ACK does not manage. */
export const customUserData = (userData: string | undefined): string => encoded(userData ?? '')

const encoded = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length > MOST_BYTES)
    throw new CreateError(
      'UserDataTooLarge',
      `the user data has ${bytes.length} bytes with the script that joins the cluster, and ECS accepts ${MOST_BYTES}; shorten spec.userData of the ECSNodeClass`,
    )
  return bytes.toString('base64')
}
