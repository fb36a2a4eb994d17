/** Parses the revision number that Cluster API sets on a MachineDeployment and its sets for each template change. */
export const parseRevision = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined
