"""Planning a study: how wide will the interval be, and how many items does a wanted width take?"""
