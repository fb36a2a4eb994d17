import type { Credentials } from './credentials.ts'

export interface TlsSettings {
  /** CA certificates in PEM. If absent, the connection's `authorities` apply. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** The name in the server's certificate, if it differs from the host. */
  readonly serverName?: string
  /** Whether to accept any server certificate. */
  readonly insecure?: boolean
}

/** How to reach an API server as a user. */
export interface Connection {
  /** The URL of the form `https://host:port`, with an optional path prefix and without a trailing slash. */
  readonly server: string
  readonly tls: TlsSettings
  /** Reads the files of `tls` again. Absent if `tls` does not come from files. Throws if a file cannot be read. */
  readonly readTls?: () => TlsSettings
  readonly credentials: Credentials
  /** Returns the CA certificates (PEM) that apply if `tls` has none. If absent, the CA certificates of Node apply. */
  readonly authorities?: () => readonly string[]
  readonly proxyUrl?: string
  /** The namespace of the context or of the pod. */
  readonly namespace?: string
  /** Headers, for example for impersonation, in the form that Node accepts: one line for each value. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Whether the connection uses the pod's own service account. If so, `namespace` is the namespace of the process. */
  readonly isInCluster?: boolean
  /** The origin of the connection, for messages: a file and context, or the service account. */
  readonly origin: string
}
