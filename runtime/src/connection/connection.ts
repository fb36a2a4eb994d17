import type { Credentials } from './credentials.ts'

export interface TlsSettings {
  /** PEM; the `authorities` of the connection when absent. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** The name that the server's certificate must carry, when it is not the host's. */
  readonly serverName?: string
  /** Trust any certificate. */
  readonly insecure?: boolean
}

/** How to reach one API server as one user. */
export interface Connection {
  /** `https://host:port` with an optional path prefix, without a trailing slash. */
  readonly server: string
  readonly tls: TlsSettings
  /** Reads the files that `tls` comes from again; absent where there are none. Throws when one cannot be read. */
  readonly readTls?: () => TlsSettings
  readonly credentials: Credentials
  /** The authorities (PEM) that count when `tls` names none; without it those that Node brings along. */
  readonly authorities?: () => readonly string[]
  readonly proxyUrl?: string
  /** The namespace that goes with it: of the context, or of the pod. */
  readonly namespace?: string
  /** Headers such as those of impersonation, as Node takes them: one line for each value. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Whether it is the pod's own service account, so that `namespace` is where the process runs. */
  readonly isInCluster?: boolean
  /** Where this comes from, for messages: a file and context, or the service account. */
  readonly origin: string
}
