import { isConditionTrue, type Node, type NodeClaim } from '@kerf/apis'
import { claimInName } from '../instances/instance-names.ts'
import { type CertificateRequest, parseCertificateRequest } from './certificate-request.ts'
import { type CertificateSigningRequest, CLIENT_SIGNER, SERVING_SIGNER } from './signing-request.ts'

/**
 * `wait`: the Node does not show its addresses yet. `ignore`: the request does not come from a node that Kerf launches, or it asks for more
 * than such a node may have.
 */
export type Approval = 'approve' | 'wait' | 'ignore'

const NODE_USER = 'system:node:'
const NODES_GROUP = 'system:nodes'
const SERVICE_ACCOUNT = 'system:serviceaccount:'
const KEY_USAGES: ReadonlySet<string> = new Set(['digital signature', 'key encipherment'])

const usagesFor = (signer: string): string | undefined => {
  if (signer === CLIENT_SIGNER) return 'client auth'
  return signer === SERVING_SIGNER ? 'server auth' : undefined
}

/** Returns the name of the node for which the certificate is requested. Returns undefined if the request is not a kubelet's. */
export const requestedNode = ({ spec }: CertificateSigningRequest): string | undefined => {
  const usage = usagesFor(spec.signerName)
  const { usages = [] } = spec
  if (usage === undefined || !usages.includes(usage)) return undefined
  if (usages.some((each) => each !== usage && !KEY_USAGES.has(each))) return undefined
  const request = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString('utf8'))
  if (request === undefined || !request.commonName.startsWith(NODE_USER)) return undefined
  if (request.organizations.length !== 1 || request.organizations[0] !== NODES_GROUP) return undefined
  return request.commonName.slice(NODE_USER.length)
}

const servingApproval = (
  { dnsNames, ipAddresses }: CertificateRequest,
  name: string,
  node: Node | undefined,
): Approval => {
  const { addresses = [] } = node?.status ?? {}
  const known = new Set([name, ...addresses.map(({ address }) => address)])
  if ([...dnsNames, ...ipAddresses].every((each) => known.has(each))) return 'approve'
  // The cloud controller manager writes the addresses shortly after the kubelet has sent its request.
  return addresses.length === 0 ? 'wait' : 'ignore'
}

/**
 * Decides whether to approve the certificate that a kubelet requests (`providers/gcp/docs/spec/gcp.md#certificates-of-kubelets`). The
 * subject must be the node of a NodeClaim that is not being deleted. A node may renew its own certificate. Kerf approves the first client
 * certificate only for a node that has not registered, and not if a service account requests it. It approves a serving certificate only for
 * the requesting node, with the node's own names and addresses.
 */
export const approvalFor = (
  request: CertificateSigningRequest,
  { claim, node }: { readonly claim: NodeClaim | undefined; readonly node: Node | undefined },
): Approval => {
  const name = requestedNode(request)
  if (name === undefined || claim === undefined || claim.metadata.deletionTimestamp !== undefined) return 'ignore'
  if (claimInName(name) !== claim.metadata.name) return 'ignore'
  const asked = parseCertificateRequest(Buffer.from(request.spec.request, 'base64').toString('utf8'))
  if (asked === undefined) return 'ignore'
  const { username = '', signerName } = request.spec
  const isOwn = username === `${NODE_USER}${name}`
  if (signerName === SERVING_SIGNER) return isOwn ? servingApproval(asked, name, node) : 'ignore'
  if (asked.dnsNames.length > 0 || asked.ipAddresses.length > 0) return 'ignore'
  if (isOwn) return 'approve'
  const isFirst = node === undefined && !isConditionTrue(claim, 'Registered')
  const isBootstrap = !username.startsWith(SERVICE_ACCOUNT) && !username.startsWith(NODE_USER)
  return isFirst && isBootstrap ? 'approve' : 'ignore'
}
