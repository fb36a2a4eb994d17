import type { KubeEnv } from './kube-env.ts'

const BINARY = /kubernetes-server-linux-(amd64|arm64)\.tar\.gz/
const RELEASE = /\/release\/(v[^/]+)\//
const RELEASES = 'https://storage.googleapis.com/gke-release/kubernetes/release'

/** The node binaries for an architecture other than that of the source node pool. */
export interface OtherBinaries {
  readonly url: string
  /** The URL of the archive's hash. */
  readonly hashUrl: string
}

/**
 * Returns the URLs of the node binaries for the architecture. Returns undefined if the source's binaries match it, or if the source has
 * none.
 *
 * @param version the version of the API server with `v`, if the URL of the source does not contain one
 */
export const otherBinaries = (source: KubeEnv, arch: 'amd64' | 'arm64', version: string): OtherBinaries | undefined => {
  const url = source.get('SERVER_BINARY_TAR_URL') ?? ''
  const own = BINARY.exec(url)?.[1]
  if (own === undefined || own === arch) return undefined
  const release = RELEASE.exec(url)?.[1] ?? version
  return {
    url: url.replaceAll(`linux-${own}.tar.gz`, `linux-${arch}.tar.gz`),
    hashUrl: `${RELEASES}/${release}/kubernetes-server-linux-${arch}.tar.gz.sha512`,
  }
}
