/** The provider that the image and the chart begin with, as those of upstream Karpenter do. */
export const IMAGE_PROVIDER = 'aws'
