/** Files that `npm run bundle` puts into the bundle. A clone has them beside its sources. */
interface BundleContent {
  readonly version: string
  /** Empty when it was not known where the bundle was made. */
  readonly commit: string
  /** Texts that the program carries, by their path in the repository. */
  readonly files: Readonly<Record<string, string>>
}

declare const KERF_BUNDLE: BundleContent

/** Undefined in a clone. */
export const bundleContent: BundleContent | undefined = typeof KERF_BUNDLE === 'undefined' ? undefined : KERF_BUNDLE
