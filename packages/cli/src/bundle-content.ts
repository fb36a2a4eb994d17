/** The data that `npm run bundle` puts into the bundle. A clone reads it from the working tree. */
interface BundleContent {
  readonly version: string
  /** Empty if the commit was unknown when the bundle was built. */
  readonly commit: string
  /** Contents of text files, by their path in the repository. */
  readonly files: Readonly<Record<string, string>>
}

declare const KERF_BUNDLE: BundleContent

/** The content of the bundle; undefined in a clone. */
export const bundleContent: BundleContent | undefined = typeof KERF_BUNDLE === 'undefined' ? undefined : KERF_BUNDLE
