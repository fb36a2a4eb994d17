import type { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js'
import type { Credential, Credentials } from './credentials.ts'

/**
 * Credentials of a kubeconfig user with `auth-provider: oidc`: the id token, refreshed through the identity provider.
 * The protocol is client-node's; its module is loaded when first needed, because that takes half a second and 80 MB.
 */
export class OidcCredentials implements Credentials {
  readonly #user: { name: string; authProvider: { name: string; config: Record<string, string> } }
  #provider: Promise<OpenIDConnectAuth> | undefined

  constructor(name: string, config: Readonly<Record<string, string>>) {
    this.#user = { name, authProvider: { name: 'oidc', config: { ...config } } }
  }

  async current(): Promise<Credential> {
    this.#provider ??= import('@kubernetes/client-node/dist/oidc_auth.js').then((oidc) => new oidc.OpenIDConnectAuth())
    const provider = await this.#provider
    const request: { headers: Record<string, string> } = { headers: {} }
    await provider.applyAuthentication(this.#user, request)
    const authorization = request.headers['Authorization']
    return authorization === undefined ? {} : { authorization }
  }

  invalidate(): void {
    // A fresh provider reads the expiry out of the token again.
    this.#provider = undefined
  }
}
