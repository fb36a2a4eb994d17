import { type ClusterAccess, callCluster } from '@kerf/control-plane'
import { expect } from 'vitest'
import { CLIENT_SIGNER, SERVING_SIGNER } from '../src/csr/signing-request.ts'
import { certificateRequest, type RequestedCertificate } from './certificate-request.ts'

interface Signing {
  readonly signerName: string
  readonly usages: readonly string[]
  readonly username: string
  readonly certificate: RequestedCertificate
}

const NODES = ['system:nodes']
const OTHER_NODE = 'system:node:karpenter-other'
const POD = 'system:serviceaccount:web:default'

/**
 * Creates certificate requests with the identities of different requesters. `client` and `serving` create valid requests from the kubelet
 * of the instance. Every other method creates requests that differ in one point each and must not be approved.
 */
export class KubeletRequests {
  readonly #access: ClusterAccess
  readonly #name: string
  /** The number of requests that must not be approved. */
  foreign = 0

  constructor(access: ClusterAccess, name: string) {
    this.#access = access
    this.#name = name
  }

  /** The Kubernetes user of the instance's node. */
  get user(): string {
    return `system:node:${this.#name}`
  }

  get #ownClient(): Signing {
    return {
      signerName: CLIENT_SIGNER,
      usages: ['digital signature', 'client auth'],
      username: 'kubelet',
      certificate: { commonName: this.user, organizations: NODES },
    }
  }

  #ownServing(ipAddresses: readonly string[]): Signing {
    return {
      signerName: SERVING_SIGNER,
      usages: ['digital signature', 'server auth'],
      username: this.user,
      certificate: { commonName: this.user, organizations: NODES, dnsNames: [this.#name], ipAddresses },
    }
  }

  async #create(name: string, { username, certificate, ...spec }: Signing): Promise<void> {
    const { status, body } = await callCluster(
      this.#access,
      'POST',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name },
        spec: { ...spec, request: Buffer.from(certificateRequest(certificate)).toString('base64') },
      },
      { 'impersonate-user': username },
    )
    expect(status, `${name}: ${JSON.stringify(body)}`).toBe(201)
  }

  async #createForeign(requests: Readonly<Record<string, Signing>>): Promise<void> {
    for (const [name, signing] of Object.entries(requests)) await this.#create(name, signing)
    this.foreign += Object.keys(requests).length
  }

  client(name: string, username: string): Promise<void> {
    return this.#create(name, { ...this.#ownClient, username })
  }

  serving(name: string, ipAddresses: readonly string[]): Promise<void> {
    return this.#create(name, this.#ownServing(ipAddresses))
  }

  /** Creates requests that must not be approved before the instance has a Node. */
  createForeign(): Promise<void> {
    const own = this.#ownClient
    const { certificate } = own
    const subject = (changes: Partial<RequestedCertificate>): Signing => ({
      ...own,
      certificate: { ...certificate, ...changes },
    })
    return this.#createForeign({
      'no-claim': subject({ commonName: OTHER_NODE }),
      'not-an-instance': subject({ commonName: 'system:node:gke-default-pool-1' }),
      'a-person': subject({ commonName: 'admin' }),
      'another-group': subject({ organizations: ['system:masters'] }),
      'a-further-group': subject({ organizations: ['system:nodes', 'system:masters'] }),
      'client-with-a-name': subject({ dnsNames: [this.#name] }),
      'client-with-an-address': subject({ ipAddresses: ['10.0.0.7'] }),
      'server-usage': { ...own, usages: ['digital signature', 'client auth', 'server auth'] },
      'further-usage': { ...own, usages: ['digital signature', 'client auth', 'code signing'] },
      'another-signer': { ...own, signerName: 'kubernetes.io/kube-apiserver-client' },
      'asked-by-a-pod': { ...own, username: POD },
      'asked-by-another-node': { ...own, username: OTHER_NODE },
      'serving-before-the-node': { ...this.#ownServing(['10.0.0.7']), username: 'kubelet' },
    })
  }

  /** Creates requests that must not be approved after the instance's Node has registered. */
  createForeignOfNode(): Promise<void> {
    const serving = this.#ownServing([])
    const { certificate } = serving
    const names = (changes: Partial<RequestedCertificate>): Signing => ({
      ...serving,
      certificate: { ...certificate, ...changes },
    })
    return this.#createForeign({
      'again-without-the-node': this.#ownClient,
      'another-name': names({ dnsNames: [this.#name, 'kubernetes.default'] }),
      'another-address': names({ ipAddresses: ['10.96.0.1'] }),
      'serving-for-a-pod': { ...serving, username: POD },
      'serving-for-another-node': { ...serving, username: OTHER_NODE },
      'serving-with-client-usage': { ...serving, usages: ['digital signature', 'server auth', 'client auth'] },
    })
  }
}
