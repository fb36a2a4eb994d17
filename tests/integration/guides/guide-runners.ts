/** The test that runs the commands of each guide, by the page below `docs/`: `guides/report`. */
export type GuideRunners = Readonly<
  Record<
    string,
    {
      /** The test file, relative to the repository. */
      readonly test: string
      /** A text of the test file: the check that all commands have run. */
      readonly holds: string
    }
  >
>

/** The export `./testing/guides` of a provider. */
export interface ProviderGuides {
  readonly runners: GuideRunners
  /** Commands of its cloud in guides of Kerf that a test cannot run, with the reason. */
  readonly cannotRun?: Readonly<Record<string, string>>
  /** Commands of the first pages that no step types, with the test that runs each. */
  readonly runElsewhere?: Readonly<Record<string, string>>
  /** The registry that the guides of this cloud push the image to. */
  readonly imageRegistry?: string
}
