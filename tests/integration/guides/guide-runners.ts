/** For each guide, the test that runs its commands. The key is the page's path below `docs/`, for example `guides/report`. */
export type GuideRunners = Readonly<
  Record<
    string,
    {
      /** The test file, relative to the repository. */
      readonly test: string
      /** A text that the test file must contain: the assertion that all commands have run. */
      readonly holds: string
    }
  >
>

/** The export `./testing/guides` of a provider. */
export interface ProviderGuides {
  readonly runners: GuideRunners
  /** The cloud's commands in Kerf's own guides that a test cannot run, with the reason. */
  readonly cannotRun?: Readonly<Record<string, string>>
  /** The cloud's commands in README.md and the quick start that no step types, with the test that runs each. */
  readonly runElsewhere?: Readonly<Record<string, string>>
  /** The registry to which this cloud's guides push the image. */
  readonly imageRegistry?: string
}
