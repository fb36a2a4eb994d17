/** A version of Kubernetes, and the build of GKE if there is one. */
export interface GkeVersion {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** The build of GKE, for example 1068000 in `1.34.6-gke.1068000`. */
  readonly build: number | undefined
}

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-gke\.(\d+))?/

/** Parses `1.34.6-gke.1068000` or `v1.34.6`. Undefined for any other text. */
export const parseGkeVersion = (text: string): GkeVersion | undefined => {
  const [, major, minor, patch, build] = VERSION.exec(text) ?? []
  if (major === undefined || minor === undefined || patch === undefined) return undefined
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    build: build === undefined ? undefined : Number(build),
  }
}

/** Compares two versions for sorting, the older one first. */
export const compareGkeVersions = (a: GkeVersion, b: GkeVersion): number =>
  a.major - b.major || a.minor - b.minor || a.patch - b.patch || (a.build ?? 0) - (b.build ?? 0)
